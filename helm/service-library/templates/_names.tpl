{{- /* What the charts know of a service and an operator does not choose: its topics, servers and callers. Each chart defines "<chart>.uses". */}}
{{- define "service.uses" -}}
{{- include (printf "%s.uses" .Chart.Name) . }}
{{- end }}

{{- /* The name of every object of the service. */}}
{{- define "service.name" -}}
{{- .Values.fullnameOverride | default .Chart.Name }}
{{- end }}

{{- /* The labels by which Services, policies and budgets find the pods of the service; a Job's pods have another component. */}}
{{- define "service.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end }}

{{- define "service.topics.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: topics
{{- end }}

{{- define "service.test.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: test
{{- end }}

{{- /* The labels of every object, besides those of a selector. */}}
{{- define "service.labels" -}}
app.kubernetes.io/part-of: invoicing-platform
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "service.metadata" -}}
name: {{ include "service.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "service.selector" . | nindent 2 }}
  {{- include "service.labels" . | nindent 2 }}
{{- end }}

{{- define "service.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "service.name" .) }}
{{- end }}

{{- /* A value that is not given: empty or null, but neither false nor 0. */}}
{{- define "service.isEmpty" -}}
{{- if or (kindIs "invalid" .) (eq (toString .) "") }}yes{{ end }}
{{- end }}
