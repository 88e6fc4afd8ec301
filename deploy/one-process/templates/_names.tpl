{{- define "one-process.labels" -}}
app.kubernetes.io/name: one-process
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "one-process.metadata" -}}
name: {{ .Release.Name }}
labels:
  {{- include "one-process.labels" . | nindent 2 }}
  app.kubernetes.io/part-of: invoicing-platform
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
