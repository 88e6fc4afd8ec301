{{- /* The topics that the service publishes, made by Strimzi's topic operator. A service that only consumes has none: a topic has one owner. */}}
{{- define "service.kafkaTopics" -}}
{{- if eq .Values.global.topics.by "strimzi" -}}
{{- $topics := .Values.global.topics }}
{{- $settings := include "service.settings" . | fromYaml }}
{{- $prefix := include "service.prefix" $settings }}
{{- $replicas := $topics.replicas | default 3 | int }}
{{- range (include "service.uses" . | fromYaml).publishes }}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata:
  name: {{ $prefix }}{{ . }}
  namespace: {{ $topics.strimzi.namespace | default $.Release.Namespace }}
  labels:
    strimzi.io/cluster: {{ $topics.strimzi.cluster }}
    {{- include "service.topics.selector" $ | nindent 4 }}
    {{- include "service.labels" $ | nindent 4 }}
  annotations:
    # Its events outlive the release.
    helm.sh/resource-policy: keep
spec:
  topicName: {{ $prefix }}{{ . }}
  # Of every topic, for ever: the order of a subject's events rests on it.
  partitions: 12
  replicas: {{ $replicas }}
  config:
    {{- include "service.topicConfig" . | nindent 4 }}
    min.insync.replicas: {{ ternary 2 1 (gt $replicas 2) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "service.topicConfig" -}}
max.message.bytes: 1048588
{{- if eq . "invoicing.customer" }}
cleanup.policy: compact
min.compaction.lag.ms: 604800000
max.compaction.lag.ms: 1209600000
{{- else if eq . "invoicing.published" }}
cleanup.policy: compact
max.compaction.lag.ms: 86400000
{{- else }}
cleanup.policy: delete
retention.ms: {{ ternary "2592000000" "-1" (or (hasSuffix ".registration" .) (eq . "audit.setting")) }}
retention.bytes: -1
{{- end }}
{{- end }}
