{{- define "service.alerts.events" -}}
# Every replica reports the same number. Nothing passes by itself here: the wait is for the second reading.
- alert: DeadLetters
  for: 1m
  severity: warning
  expr: max by (group, reason) (svc_dead_letters{PODS,reason!="unknown_type"}) > 0
  summary: there are dead letters
  description: '[[ $value ]] events of [[ $labels.group ]] are dead letters ([[ $labels.reason ]]). What they say has not happened here, and waits for an operator.'

# Nothing but a person removes them: one that is a week old is forgotten.
- alert: DeadLettersOld
  for: 1m
  severity: warning
  expr: max by (group, reason) (svc_dead_letters_oldest_seconds{PODS}) > 604800
  summary: dead letters are a week old
  description: 'The oldest dead letter of [[ $labels.group ]] ([[ $labels.reason ]]) is there for [[ $value | humanizeDuration ]]. It stays until it is redriven or dropped.'

# Longer than a rollout, in which the first pods of the next release handle them.
- alert: UnknownEvents
  for: 1h
  severity: warning
  expr: max by (group) (svc_dead_letters{PODS,reason="unknown_type"}) > 0
  summary: events wait for a release that knows them
  description: '[[ $value ]] events of [[ $labels.group ]] are of a type that no running process knows, and all later ones of their subjects wait behind them.'

# A batch import is caught up with in minutes.
- alert: ConsumerLag
  for: 10m
  severity: warning
  expr: max by (group, topic) (svc_consumer_lag_events{PODS}) > {{ .limits.consumerLagEvents }}
  summary: the consumers are behind
  description: 'The group [[ $labels.group ]] is [[ $value ]] events behind on [[ $labels.topic ]].'
{{- end }}

{{- define "service.alerts.subscriptions" -}}
# Longer than it takes to hand a subscription to another pod, and to catch up then. A read model that is built is years behind, and gets nearer: that is none.
- alert: SubscriptionLag
  for: 5m
  severity: critical
  expr: |-
    max by (subscription) (svc_subscription_lag_seconds{PODS}) > {{ .limits.subscriptionLagSeconds }}
    and max by (subscription) (deriv(svc_subscription_lag_seconds{PODS}[5m])) > 0
  summary: a subscription stands still
  description: '[[ $labels.subscription ]] is [[ $value | humanizeDuration ]] behind the event store. Behind a relay (publishing) nothing happens; a list shows nothing new.'
{{- end }}
