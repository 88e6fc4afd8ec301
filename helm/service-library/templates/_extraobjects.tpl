{{- /* Objects of the operator, as they are. */}}
{{- define "service.extraObjects" -}}
{{- range .Values.extraObjects }}
---
{{ toYaml . }}
{{- end }}
{{- end }}
