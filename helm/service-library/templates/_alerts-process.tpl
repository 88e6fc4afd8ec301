{{- define "service.alerts.process" -}}
# Longer than Prometheus or a node takes to restart.
- alert: MetricsMissing
  for: 5m
  severity: critical
  expr: absent(process_start_time_seconds{PODS})
  summary: no pod has metrics
  description: Prometheus has no metrics of any pod of {{ .chart }}. It is not running, or is not read; the other alerts of {{ .chart }} are blind.

# Longer than a rollout, a lease that has to expire, or the restart of a server.
- alert: NotReady
  for: 3m
  severity: critical
  keep_firing_for: 7m
  expr: max(svc_ready{PODS}) == 0
  summary: no pod is ready
  description: No pod of {{ .chart }} has been ready for three minutes. What it does is not done for anybody.

# A pod that starts waits for its read models; one that is not ready after that waits for an operator.
- alert: PodNotReady
  for: 15m
  severity: warning
  expr: min by (pod) (svc_ready{PODS}) == 0
  summary: a pod is not ready
  description: The pod [[ $labels.pod ]] has not been ready for 15 minutes. Others do its work, if there are others.

# The window of the expression is the wait.
- alert: Restarts
  for: 0m
  severity: warning
  expr: max by (pod) (changes(process_start_time_seconds{PODS}[30m])) >= 3
  summary: a pod restarts again and again
  description: The process of [[ $labels.pod ]] has started [[ $value ]] times again within 30 minutes.

# One large report or batch takes seconds.
- alert: EventLoopLag
  for: 10m
  severity: warning
  expr: max by (pod) (nodejs_eventloop_lag_p99_seconds{PODS}) > {{ .limits.eventLoopSeconds }}
  summary: a process is overloaded
  description: The event loop of [[ $labels.pod ]] is [[ $value | humanizeDuration ]] late (99th percentile). Everything that it does is late by that.

# Memory rises between two runs of the garbage collector.
- alert: MemoryNearLimit
  for: 10m
  severity: warning
  expr: max by (pod) (process_resident_memory_bytes{PODS} / svc_memory_limit_bytes{PODS}) > {{ .limits.memoryShare }}
  summary: a process will soon be out of memory
  description: '[[ $labels.pod ]] uses [[ $value | humanizePercentage ]] of the memory that it may use; above it the kernel kills it.'

# A restart of the server that a metric is read from is over by then.
- alert: MetricsUnread
  for: 10m
  severity: warning
  expr: sum by (metric) (increase(svc_metrics_unread_total{PODS}[10m])) > 3
  summary: a metric cannot be read
  description: '[[ $labels.metric ]] was omitted [[ $value | humanize ]] times in ten minutes: alerts that rest on it are blind.'
{{- end }}
