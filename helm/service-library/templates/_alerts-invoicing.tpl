{{- define "service.alerts.invoicing" -}}
# Catching up after a rollout or an import takes less.
- alert: ReadBarrierTimeouts
  for: 5m
  severity: warning
  expr: sum(increase(svc_read_barrier_timeouts_total{PODS}[5m])) > 5
  summary: lists are answered 503
  description: '[[ $value | humanize ]] lists in five minutes were refused, because their read model did not reach the newest event in 5 s.'

# Each is tried every five seconds, so one that succeeds is gone by then.
- alert: DocumentsStuck
  for: 5m
  severity: warning
  expr: sum(increase(svc_unfinished_failures_total{PODS}[10m])) > 20
  summary: documents are stuck in submission
  description: Documents that were left between steps cannot be brought on, [[ $value | humanize ]] tries in ten minutes. They are neither drafts nor numbered.

# One client with a wrong date is over by then.
- alert: NumbersRefused
  for: 15m
  severity: warning
  expr: |-
    sum(increase(svc_numbers_total{PODS,outcome="refused"}[15m])) / sum(increase(svc_numbers_total{PODS}[15m])) > {{ .limits.refusedNumberShare }}
    and sum(increase(svc_numbers_total{PODS,outcome="refused"}[15m])) > 5
  summary: series give no numbers
  description: '[[ $value | humanizePercentage ]] of the requests for a number were refused in 15 minutes, because of the series or the date.'

# Beyond ten minutes ahead no number is given.
- alert: ClockSkew
  for: 2m
  severity: critical
  expr: max by (pod) (abs(svc_clock_skew_seconds{PODS})) > 120
  summary: the clock of a machine is wrong
  description: The clock of [[ $labels.pod ]] and another one differ by [[ $value | humanizeDuration ]]. Documents are dated by it; more than ten minutes ahead it gives no numbers.

- alert: ClockUnconfirmed
  for: 1h
  severity: warning
  expr: max by (pod) (svc_clock_unconfirmed{PODS}) == 1
  summary: nothing confirms the clock
  description: No other clock has said within the hour what time it is. Documents are dated by the clock of [[ $labels.pod ]] alone.
{{- end }}
