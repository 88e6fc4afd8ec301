{{- define "service.alerts.webhooks-dispatcher" -}}
# Endpoints that fail do not count. A burst is sent within minutes.
- alert: WebhookBacklog
  for: 5m
  severity: critical
  expr: max(svc_webhook_due_lag_seconds{PODS}) > {{ .limits.webhookDueSeconds }}
  summary: webhooks are not sent
  description: A delivery that was due has waited for [[ $value | humanizeDuration ]], though its endpoint answers.

# One subscriber that is down is that subscriber’s matter: this is about most of what is sent.
- alert: WebhooksFailing
  for: 15m
  severity: warning
  expr: |-
    sum(increase(svc_webhook_attempts_total{PODS,outcome!="succeeded"}[15m])) / sum(increase(svc_webhook_attempts_total{PODS}[15m])) > {{ .limits.webhookFailureShare }}
    and sum(increase(svc_webhook_attempts_total{PODS,outcome!="succeeded"}[15m])) > 20
  summary: most webhooks fail
  description: '[[ $value | humanizePercentage ]] of the attempts of 15 minutes failed.'

# Its owner can still mend it. The health of endpoints is stored, so that all pods count the same.
- alert: WebhookEndpointsDisabledSoon
  for: 15m
  severity: warning
  expr: max(svc_webhook_endpoints_failing{PODS,disabled_within="1d"}) > 0
  summary: webhook endpoints are disabled within a day
  description: '[[ $value ]] endpoints have failed for four days, and receive nothing more after the fifth.'
{{- end }}
