{{- define "service.alerts.fiscal-submission" -}}
# Documents for tests, which may simulate an outage, do not count. Within that time the authority has been tried some 120 times.
- alert: AwaitingAuthority
  for: 5m
  severity: critical
  expr: max by (authority, env) (svc_submissions_oldest_seconds{PODS,env="live"}) > {{ .limits.awaitingAuthoritySeconds }}
  summary: documents get no fiscal code
  description: A document has waited for [[ $labels.authority ]] for [[ $value | humanizeDuration ]].

# Ten documents in a row got no answer before that; maintenance at night takes longer than five minutes, and users see it: AwaitingAuthority pages an operator.
- alert: AuthorityUnreachable
  for: 5m
  severity: warning
  expr: max by (authority, env) (svc_authority_circuit_open{PODS}) == 1
  summary: an authority does not answer
  description: Calls of [[ $labels.authority ]] for [[ $labels.env ]] documents are suspended but for one every 30 seconds, because none is answered.

# Authorities have slow minutes.
- alert: AuthoritySlow
  for: 15m
  severity: warning
  expr: histogram_quantile(0.95, sum by (authority, env, le) (rate(svc_authority_seconds_bucket{PODS}[10m]))) > {{ .limits.authoritySeconds }}
  summary: an authority is slow
  description: One of twenty calls of [[ $labels.authority ]] for [[ $labels.env ]] documents takes longer than [[ $value | humanizeDuration ]]; a call is given up after 10 s.

# Authorities take a minute or two; a machine that corrects its clock is done by then.
- alert: AuthorityClockDiffers
  for: 5m
  severity: warning
  expr: max by (authority, env) (abs(svc_authority_clock_difference_seconds{PODS})) > 30
  summary: the clock differs from an authority’s
  description: The clock of a machine differs from that of [[ $labels.authority ]] for [[ $labels.env ]] documents by [[ $value | humanizeDuration ]].

# Where the clocks agree, it ends with the next look, within 30 seconds.
- alert: AuthorityRefusesTime
  for: 5m
  severity: warning
  expr: max by (authority, env) (svc_authority_clock_held{PODS}) == 1
  summary: nothing is sent to an authority that refused the time
  description: '[[ $labels.authority ]] has refused a message for [[ $labels.env ]] documents for its time; they wait until the clocks agree.'

# One customer’s mistake is over by then.
- alert: AuthorityRejects
  for: 15m
  severity: warning
  expr: |-
    sum by (authority) (increase(svc_submissions_total{PODS,env="live",outcome="rejected"}[30m]))
    / sum by (authority) (increase(svc_submissions_total{PODS,env="live",outcome=~"rejected|registered"}[30m])) > {{ .limits.rejectedShare }}
    and sum by (authority) (increase(svc_submissions_total{PODS,env="live",outcome="rejected"}[30m])) > 5
  summary: an authority rejects most documents
  description: '[[ $labels.authority ]] has rejected [[ $value | humanizePercentage ]] of the documents of 30 minutes.'

# Each such record is a defect of this software: the wait is for the second reading.
- alert: AuthorityFindsErrors
  for: 5m
  severity: warning
  expr: sum by (authority) (increase(svc_submissions_flawed_total{PODS,env="live"}[1h])) > 0
  summary: an authority finds records wrong
  description: '[[ $labels.authority ]] finds the records of [[ $value | humanize ]] documents of an hour wrong: registered with errors, or refused as malformed.'

# An authority that does not answer at all is AuthorityUnreachable. Five answers take some minutes, and a short disturbance is over by then.
- alert: AuthorityFailsAtRecord
  for: 15m
  severity: warning
  expr: max by (authority, env) (svc_submissions_failing{PODS,env="live"}) > 0 unless on (authority, env) max by (authority, env) (svc_authority_circuit_open{PODS}) == 1
  summary: an authority fails at records each time
  description: '[[ $labels.authority ]] has answered at least five times in a row that it cannot take the records of [[ $value ]] documents, or in a way that cannot be trusted.'

# AwaitingAuthority has paged an operator long before: the wait is for the second reading.
- alert: DeadlineSoon
  for: 5m
  severity: critical
  expr: max by (authority) (svc_submissions_deadline_soon{PODS,env="live"}) > 0
  summary: documents have no fiscal code hours before their legal end
  description: '[[ $labels.authority ]] takes [[ $value ]] documents that have no fiscal code for at most 12 hours more.'

# Nothing passes by itself here: the wait is for the second reading.
- alert: NeedsReview
  for: 5m
  severity: warning
  expr: max by (authority) (svc_submissions_in_review{PODS,env="live"}) > 0
  summary: documents need a review
  description: '[[ $value ]] documents for [[ $labels.authority ]] will not be sent again: it has another record under their number, or the time to send them is over.'

# Whoever restores the system decides the first chains meanwhile. AwaitingAuthority pages an operator for live documents.
- alert: ChainsClosed
  for: 15m
  severity: warning
  expr: max by (authority, env) (svc_chains_closed{PODS}) > 0
  summary: documents wait for chains that are closed after a restore
  description: '[[ $value ]] chains of [[ $labels.env ]] records for [[ $labels.authority ]] are closed since the system was restored, until an operator says how they go on.'

# A certificate changes within an hour only when an operator changes it.
- alert: AuthorityCertificateExpiresSoon
  for: 1h
  severity: warning
  expr: (min by (authority, env) (svc_authority_certificate_expiry_timestamp_seconds{PODS}) - time() < 30 * 86400) > 0
  summary: an authority’s certificate expires
  description: The certificate of [[ $labels.authority ]] for [[ $labels.env ]] documents expires in [[ $value | humanizeDuration ]].

# What concerns test documents only, of a simulator or a test service, waits for the morning.
{{- range list (dict "of" "env=\"live\"" "severity" "critical") (dict "of" "env=\"test\"" "severity" "warning") }}
- alert: AuthorityCertificateExpiresThisWeek
  for: 1h
  severity: {{ .severity }}
  expr: (min by (authority, env) (svc_authority_certificate_expiry_timestamp_seconds{PODS,{{ .of }}}) - time() < 7 * 86400) > 0
  summary: an authority’s certificate expires within seven days
  description: The certificate of [[ $labels.authority ]] for [[ $labels.env ]] documents expires in [[ $value | humanizeDuration ]]. Nobody has renewed it in time.

# Nothing is sent any more. The wait is for the second reading.
- alert: AuthorityCertificateExpired
  for: 1m
  severity: {{ .severity }}
  keep_firing_for: 5m
  expr: min by (authority, env) (svc_authority_certificate_expiry_timestamp_seconds{PODS,{{ .of }}}) - time() <= 0
  summary: an authority’s certificate has expired
  description: The certificate of [[ $labels.authority ]] for [[ $labels.env ]] documents has expired; nothing is sent to it.
{{- end }}
{{- end }}
