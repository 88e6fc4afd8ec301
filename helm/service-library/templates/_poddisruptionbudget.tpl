{{- /* For one replica there is none: it would keep nodes from being drained. */}}
{{- define "service.podDisruptionBudget" -}}
{{- if and .Values.podDisruptionBudget.enabled (gt (include "service.leastReplicas" . | int) 1) -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "service.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ .Values.podDisruptionBudget.maxUnavailable }}
  # A pod that is not ready serves nobody.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "service.selector" . | nindent 6 }}
{{- end }}
{{- end }}
