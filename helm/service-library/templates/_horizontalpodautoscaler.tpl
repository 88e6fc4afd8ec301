{{- define "service.horizontalPodAutoscaler" -}}
{{- if .Values.autoscaling.enabled -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "service.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    {{- include "service.workloadKind" . | nindent 4 }}
    name: {{ include "service.name" . }}
  minReplicas: {{ .Values.autoscaling.minReplicas }}
  maxReplicas: {{ .Values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .Values.autoscaling.targetCPUUtilization }}
  behavior:
    scaleDown:
      # Each pod that goes makes its groups share out their partitions anew.
      stabilizationWindowSeconds: 300
      policies:
        - type: Pods
          value: 1
          periodSeconds: 60
{{- end }}
{{- end }}
