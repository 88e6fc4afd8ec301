{{- define "service.alerts.gateway" -}}
# Users notice at once. The wait omits what clients repeat: a rollout, an election.
- alert: ApiErrors
  for: 5m
  keep_firing_for: 3m
  severity: critical
  expr: |-
    sum(rate(svc_http_request_seconds_count{PODS,status=~"5.."}[2m])) / sum(rate(svc_http_request_seconds_count{PODS}[2m])) > {{ .limits.apiErrorShare }}
    and sum(increase(svc_http_request_seconds_count{PODS,status=~"5.."}[2m])) > 1
  summary: requests fail
  description: '[[ $value | humanizePercentage ]] of the requests of two minutes were answered 5xx.'

# Writes that may wait for an authority (Prefer: wait) are omitted. A slow minute is not a slow system.
- alert: ApiSlow
  for: 10m
  severity: warning
  expr: |-
    histogram_quantile(0.95, sum by (le) (rate(svc_http_request_seconds_bucket{PODS,route=~"POST .+",route!~".+/(submit|resubmit|void|register)|POST /receipts"}[5m]))) > {{ .limits.apiSeconds }}
  summary: requests are slow
  description: One of twenty writes takes longer than [[ $value | humanizeDuration ]].

# The gateway repeats what a pod that goes away did not do: single failures are no incident.
- alert: UpstreamFailing
  for: 5m
  severity: warning
  expr: sum by (upstream) (increase(svc_proxy_failures_total{PODS,kind!="leaving"}[5m])) > 10
  summary: a service behind the gateway does not answer it
  description: '[[ $value | humanize ]] requests to [[ $labels.upstream ]] got no answer in five minutes; some were repeated, the others failed.'
{{- end }}
