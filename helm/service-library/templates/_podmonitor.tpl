{{- define "service.podMonitor" -}}
{{- with .Values.global.metrics.podMonitor -}}
{{- if .enabled -}}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  {{- include "service.metadata" $ | nindent 2 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "service.selector" $ | nindent 6 }}
  podMetricsEndpoints:
    - port: ops
      path: /metrics
      interval: {{ .interval }}
{{- end }}
{{- end }}
{{- end }}
