{{- /*
The alerts of a service. Those of each template below are a list of {alert, for, keep_firing_for, severity, expr, summary, description}: PODS stands for the
labels of the service's own pods, OWN for those of what it has recorded, and [[ … ]] for Prometheus' own templates. The comment of an alert says why it waits that long. An alert that mutes others
(deploy/monitoring/inhibit-rules.yaml) has a keep_firing_for: their windows end after its own condition, and Alertmanager mutes nothing for an alert that has ended.
*/}}
{{- define "service.alerts" -}}
{{- $uses := include "service.uses" . | fromYaml }}
{{- $about := dict "chart" .Chart.Name "uses" $uses "limits" .Values.global.metrics.prometheusRule.limits }}
{{- include "service.alerts.process" $about }}
{{ include "service.alerts.servers" $about }}
{{ include "service.alerts.events" $about }}
{{- if has "eventStore" $uses.servers }}
{{ include "service.alerts.subscriptions" $about }}
{{- end }}
{{- if .Values.existingSecret.keys.secretsKey }}
{{ include "service.alerts.keys" $about }}
{{- end }}
{{- if has .Chart.Name (list "gateway" "invoicing" "fiscal-submission" "webhooks-dispatcher") }}
{{ include (printf "service.alerts.%s" .Chart.Name) $about }}
{{- end }}
{{- if include "service.hasObjectives" . }}
{{ include (printf "service.alerts.objectives.%s" .Chart.Name) $about }}
{{- end }}
{{- end }}

{{- define "service.hasObjectives" -}}
{{- if has .Chart.Name (list "gateway" "fiscal-submission" "webhooks-dispatcher") }}yes{{ end }}
{{- end }}

{{- define "service.prometheusRule" -}}
{{- with .Values.global.metrics.prometheusRule -}}
{{- if .enabled -}}
{{- $pods := printf "namespace=%q,pod=~\"%s-.+\"" $.Release.Namespace (include "service.name" $) }}
{{- $own := printf "namespace=%q,service=%q" $.Release.Namespace $.Chart.Name }}
{{- $rule := . }}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  {{- include "service.metadata" $ | nindent 2 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  groups:
    - name: {{ $.Chart.Name }}
      rules:
        {{- if include "service.hasObjectives" $ }}
        {{- range include "service.recordings" (dict "chart" $.Chart.Name "objectives" .objectives) | fromYamlArray }}
        - record: {{ .record }}
          expr: {{ .expr | replace "PODS" $pods | quote }}
          labels:
            objective: {{ .objective }}
            service: {{ $.Chart.Name }}
            namespace: {{ $.Release.Namespace }}
        {{- end }}
        {{- end }}
        {{- range include "service.alerts" $ | fromYamlArray }}
        {{- if not (has .alert $rule.without) }}
        - alert: {{ .alert }}
          expr: {{ .expr | replace "PODS" $pods | replace "OWN" $own | trim | quote }}
          for: {{ .for }}
          {{- with .keep_firing_for }}
          keep_firing_for: {{ . }}
          {{- end }}
          labels:
            severity: {{ .severity }}
            service: {{ $.Chart.Name }}
            namespace: {{ $.Release.Namespace }}
          annotations:
            summary: {{ printf "%s: %s" $.Chart.Name (.summary | replace "[[" "{{" | replace "]]" "}}") | quote }}
            description: {{ .description | replace "[[" "{{" | replace "]]" "}}" | trim | quote }}
            runbook_url: {{ printf "%s/%s.md" (trimSuffix "/" $rule.runbookUrl) .alert }}
        {{- end }}
        {{- end }}
{{- end }}
{{- end }}
{{- end }}
