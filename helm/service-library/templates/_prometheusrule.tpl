{{- define "service.prometheusRule" -}}
{{- with .Values.global.metrics.prometheusRule -}}
{{- if .enabled -}}
{{- $uses := include "service.uses" $ | fromYaml }}
{{- $pods := printf "namespace=%q,pod=~\"%s-.+\"" $.Release.Namespace (include "service.name" $) }}
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
        - alert: DeadLetters
          # Every replica reports the same number.
          expr: {{ printf "max by (group, reason) (svc_dead_letters{%s,reason!=\"unknown_type\"}) > 0" $pods | quote }}
          for: 1m
          labels:
            severity: warning
          annotations:
            summary: {{ printf "%s has dead letters: see \"Dead letters\" in deploy/README.md" $.Chart.Name | quote }}
        - alert: ConsumerLag
          expr: {{ printf "max by (group, topic) (svc_consumer_lag_events{%s}) > 10000" $pods | quote }}
          for: 10m
          labels:
            severity: warning
          annotations:
            summary: {{ printf "%s is more than 10,000 events behind" $uses.group | quote }}
        - alert: MetricsMissing
          expr: {{ printf "absent(process_start_time_seconds{%s})" $pods | quote }}
          for: 5m
          labels:
            severity: critical
          annotations:
            summary: {{ printf "no pod of %s has metrics" $.Chart.Name | quote }}
{{- end }}
{{- end }}
{{- end }}
