{{- /*
The objectives of a service (docs/objectives.md): of each what is recorded, as a list of {objective, share, all, bad or good}. `all` and `bad` are rates of two minutes,
as the windows of ApiErrors; where `good` is given instead, what is not good is bad. PODS stands for the labels of the service's own pods.
*/}}
{{- define "service.objectives.gateway" -}}
{{- $requests := "svc_http_request_seconds" }}
- objective: availability
  share: {{ .objectives.availabilityShare }}
  all: sum(rate({{ $requests }}_count{PODS}[2m]))
  bad: sum(rate({{ $requests }}_count{PODS,status=~"5.."}[2m])) or 0 * sum(rate({{ $requests }}_count{PODS}[2m]))
{{- range $objective, $of := include "service.objectives.routes" . | fromYaml }}
- objective: {{ $objective }}
  share: {{ $.objectives.requestShare }}
  all: {{ printf "sum(rate(%s_count{PODS,%s}[2m]))" $requests $of.routes | toJson }}
  good: {{ printf "sum(rate(%s_bucket{PODS,%s,%s}[2m]))" $requests $of.routes (include "service.objectives.within" $of.seconds) | toJson }}
{{- end }}
{{- end }}

{{- /* Not among them: what waits for an authority, an endpoint or an event, and batches, which take as long as they are large. */}}
{{- define "service.objectives.routes" -}}
reads:
  seconds: {{ .objectives.readSeconds }}
  routes: route=~"GET /[a-z-]+/.id.(/payments|/events|/attempts|/deliveries/.whd.)?"
lists:
  seconds: {{ .objectives.listSeconds }}
  routes: route=~"GET /[a-z-]+(/.id./deliveries)?",route!="GET /events"
writes:
  seconds: {{ .objectives.writeSeconds }}
  routes: route=~"(POST|PATCH|PUT|DELETE) /.+",route!~".+/(submit|resubmit|void|register|batch|check|test|redeliver)|POST /receipts"
files:
  seconds: {{ .objectives.fileSeconds }}
  routes: route=~"GET /.+/(pdf|ubl|evidence|statement|.report.)"
{{- end }}

{{- define "service.objectives.fiscal-submission" -}}
- objective: codes
  share: {{ .objectives.codeShare }}
  all: sum(rate(svc_registration_seconds_count{PODS,env="live"}[2m]))
  good: {{ printf "sum(rate(svc_registration_seconds_bucket{PODS,env=\"live\",%s}[2m]))" (include "service.objectives.within" .objectives.codeSeconds) | toJson }}
{{- end }}

{{- define "service.objectives.webhooks-dispatcher" -}}
- objective: webhooks
  share: {{ .objectives.webhookShare }}
  all: sum(rate(svc_webhook_first_attempt_seconds_count{PODS}[2m]))
  good: {{ printf "sum(rate(svc_webhook_first_attempt_seconds_bucket{PODS,%s}[2m]))" (include "service.objectives.within" .objectives.webhookSeconds) | toJson }}
{{- end }}

{{- /* The bucket of a histogram. Prometheus 3 calls that of a whole number 60.0. */}}
{{- define "service.objectives.within" -}}
{{- $bound := toString . }}
{{- if contains "." $bound }}{{ printf "le=%q" $bound }}{{ else }}{{ printf "le=~\"%s|%s[.]0\"" $bound $bound }}{{ end }}
{{- end }}

{{- /* Rules that record them, under names of their own: what is bad, what is counted, and the share that may be bad. */}}
{{- define "service.recordings" -}}
{{- range include (printf "service.objectives.%s" .chart) . | fromYamlArray }}
- {record: 'svc:objective_all:rate2m', objective: {{ .objective }}, expr: {{ .all | toJson }}}
- {record: 'svc:objective_bad:rate2m', objective: {{ .objective }}, expr: {{ .bad | default (printf "%s - %s" .all .good) | toJson }}}
- {record: 'svc:objective_budget:share', objective: {{ .objective }}, expr: {{ printf "vector(%.6g)" (subf 1 .share) | toJson }}}
{{- end }}
{{- end }}

{{- /*
Whether an objective's budget of 30 days is spent so many times as fast as it lasts, in all of these windows ("2m": now), by more than five cases in the last `hours`.
OWN stands for the labels of what the service has recorded.
*/}}
{{- define "service.burns" -}}
{{- $of := printf "{OWN,objective=~%q}" .objective }}
{{- range $n, $window := .windows }}
{{- $over := ternary "svc:objective_%s:rate2m%s" (printf "avg_over_time(svc:objective_%%s:rate2m%%s[%s])" $window) (eq $window "2m") }}
{{- if $n }}
and {{ end -}}
{{ printf $over "bad" $of }} / {{ printf $over "all" $of }} > {{ $.times }} * svc:objective_budget:share{{ $of }}
{{- end }}
and {{ mul 3600 .hours }} * avg_over_time(svc:objective_bad:rate2m{{ $of }}[{{ .hours }}h]) > 5
{{- end }}

{{- /* At night only what is bad now; what was is read in the morning. */}}
{{- define "service.alerts.objectives.gateway" -}}
# By then ApiErrors, or the alert about a cause, has paged an operator and mutes this one.
- alert: ErrorBudget
  for: 10m
  severity: critical
  expr: |-
    {{- include "service.burns" (dict "objective" "availability" "times" 14.4 "windows" (list "1h" "2m") "hours" 1) | nindent 4 }}
    or {{ include "service.burns" (dict "objective" "availability" "times" 6 "windows" (list "6h" "30m" "2m") "hours" 1) | nindent 4 | trim }}
  summary: failed requests use up the budget of 30 days
  description: '[[ $value | humanizePercentage ]] of the requests of the last hours were answered 5xx, and they still are. At this rate the budget of 30 days is gone within five days.'

# The windows are long enough by themselves.
- alert: ErrorBudget
  for: 15m
  severity: warning
  expr: |-
    {{- include "service.burns" (dict "objective" "availability" "times" 3 "windows" (list "1d" "2h") "hours" 2) | nindent 4 }}
    or {{ include "service.burns" (dict "objective" "availability" "times" 1 "windows" (list "3d" "6h") "hours" 6) | nindent 4 | trim }}
  summary: failed requests use up the budget of 30 days
  description: '[[ $value | humanizePercentage ]] of the requests of the last days were answered 5xx. The budget of 30 days does not last for 30 days.'

{{ include "service.alerts.slowBudget" (dict "alert" "LatencyBudget" "objective" "reads|lists|writes|files") }}
  summary: slow requests use up the budget of 30 days
  description: '[[ $value | humanizePercentage ]] of the requests that count as [[ $labels.objective ]] took longer than their objective. The budget of 30 days does not last for 30 days.'
{{- end }}

{{- define "service.alerts.objectives.fiscal-submission" -}}
{{ include "service.alerts.slowBudget" (dict "alert" "RegistrationBudget" "objective" "codes") }}
  summary: late fiscal codes use up the budget of 30 days
  description: '[[ $value | humanizePercentage ]] of the live documents had their fiscal code later than the objective says. The budget of 30 days does not last for 30 days.'
{{- end }}

{{- define "service.alerts.objectives.webhooks-dispatcher" -}}
{{ include "service.alerts.slowBudget" (dict "alert" "WebhookBudget" "objective" "webhooks") }}
  summary: late webhooks use up the budget of 30 days
  description: '[[ $value | humanizePercentage ]] of the first attempts were made later than the objective says. The budget of 30 days does not last for 30 days.'
{{- end }}

{{- define "service.alerts.slowBudget" -}}
# The windows are long enough by themselves.
- alert: {{ .alert }}
  for: 15m
  severity: warning
  expr: |-
    {{- include "service.burns" (dict "objective" .objective "times" 6 "windows" (list "6h" "30m") "hours" 6) | nindent 4 }}
    or {{ include "service.burns" (dict "objective" .objective "times" 1 "windows" (list "3d" "6h") "hours" 6) | nindent 4 | trim }}
{{- end }}
