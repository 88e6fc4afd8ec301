{{- define "service.alerts.servers" -}}
{{- $servers := list (dict "server" "mongodb" "alert" "MongoDbUnreachable" "name" "MongoDB") (dict "server" "kafka" "alert" "KafkaUnreachable" "name" "Kafka") }}
{{- if has "eventStore" .uses.servers }}
{{- $servers = append $servers (dict "server" "eventstoredb" "alert" "EventStoreUnreachable" "name" "EventStoreDB") }}
{{- end }}
{{- $chart := .chart }}
{{- range $servers }}
# Longer than the election of a new leader. By all pods: one alone is PodNotReady.
- alert: {{ .alert }}
  for: 2m
  severity: critical
  keep_firing_for: 10m
  expr: max(svc_server_up{PODS,server="{{ .server }}"}) == 0
  summary: {{ .name }} does not answer
  description: No pod of {{ $chart }} gets an answer of {{ .name }} as it needs it. /readyz of the operators’ port has the reason.
{{ end }}
# Retries have failed already; an election makes failures for less than that. The window is short: what has ended does not begin to fire afterwards.
- alert: StoreFailing
  for: 5m
  severity: critical
  keep_firing_for: 7m
  expr: sum by (store, operation) (increase(svc_store_failures_total{PODS}[2m])) > 1
  summary: a store fails
  description: '[[ $value | humanize ]] times in two minutes [[ $labels.store ]] did not do a [[ $labels.operation ]], after all retries: it is full, denies the user or does not answer.'
{{- end }}

{{- define "service.alerts.keys" -}}
# Nothing passes by itself here: the wait is for the second reading.
- alert: DecryptionFailures
  for: 1m
  severity: critical
  expr: sum(increase(svc_decryption_failures_total{PODS}[10m])) > 0
  summary: stored data cannot be decrypted
  description: No key of SECRETS_KEY decrypts what {{ .chart }} has stored, [[ $value | humanize ]] failures in ten minutes.
{{- end }}
