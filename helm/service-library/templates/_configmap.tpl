{{- define "service.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "service.metadata" . | nindent 2 }}
data:
  {{- include "service.settings" . | nindent 2 }}
{{- end }}
