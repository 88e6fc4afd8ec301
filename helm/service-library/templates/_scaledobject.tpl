{{- define "service.scaledObject" -}}
{{- if .Values.keda.enabled -}}
{{- $uses := include "service.uses" . | fromYaml }}
{{- $settings := include "service.settings" . | fromYaml }}
{{- $prefix := include "service.prefix" $settings }}
{{- if and (or $settings.KAFKA_SASL_MECHANISM (eq (toString $settings.KAFKA_TLS) "true")) (not .Values.keda.kafkaAuthentication) }}
{{- fail (printf "%s: keda.kafkaAuthentication is empty, and Kafka asks for TLS or a user (settings.kafkaTls, settings.kafkaSaslMechanism): name a TriggerAuthentication" .Chart.Name) }}
{{- end }}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "service.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    {{- include "service.workloadKind" . | nindent 4 }}
    name: {{ include "service.name" . }}
  minReplicaCount: {{ .Values.keda.minReplicas }}
  maxReplicaCount: {{ .Values.keda.maxReplicas }}
  cooldownPeriod: 300
  triggers:
    {{- range $uses.consumes }}
    - type: kafka
      metadata:
        bootstrapServers: {{ $settings.KAFKA_BROKERS }}
        consumerGroup: {{ $prefix }}{{ $uses.group }}
        topic: {{ $prefix }}{{ . }}
        lagThreshold: {{ $.Values.keda.lagThreshold | quote }}
        # A new group reads from the beginning.
        offsetResetPolicy: earliest
      {{- with $.Values.keda.kafkaAuthentication }}
      authenticationRef:
        name: {{ . }}
      {{- end }}
    {{- end }}
    {{- with .Values.keda.prometheus }}
    {{- if .serverAddress }}
    - type: prometheus
      # The age of the oldest due delivery: more pods help as long as it is above the threshold, whatever their number.
      metricType: Value
      metadata:
        serverAddress: {{ .serverAddress }}
        query: max(svc_webhook_due_lag_seconds{namespace="{{ $.Release.Namespace }}",pod=~"{{ include "service.name" $ }}-.+"})
        threshold: {{ .dueAgeSeconds | quote }}
    {{- end }}
    {{- end }}
{{- end }}
{{- end }}
