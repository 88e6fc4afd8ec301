{{- /* The topics of the service in their order: those that it publishes, also where another chart owns them, and those that it consumes. */}}
{{- define "service.topics" -}}
{{- $uses := include "service.uses" . | fromYaml }}
{{- concat $uses.publishes (default list $uses.alsoPublishes) $uses.consumes | uniq | join "," }}
{{- end }}

{{- /* Creates the missing ones of the service's topics. It needs no other object of the chart, and no Secret but those that you make; those of several services may run at once. */}}
{{- define "service.topicsJob" -}}
{{- if eq .Values.global.topics.by "job" -}}
{{- $settings := include "service.settings" . | fromYaml }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "service.name" . }}-topics
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "service.topics.selector" . | nindent 4 }}
    {{- include "service.labels" . | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    # A failed one stays, for its log.
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  activeDeadlineSeconds: 120
  backoffLimit: 10
  template:
    metadata:
      labels:
        {{- include "service.topics.selector" . | nindent 8 }}
        {{- include "service.labels" . | nindent 8 }}
    spec:
      restartPolicy: Never
      {{- include "service.podSecurity" . | nindent 6 }}
      {{- include "service.pullSecrets" . | nindent 6 }}
      {{- include "service.placement" . | nindent 6 }}
      containers:
        - name: topics
          image: {{ include "service.image" . }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          {{- include "service.containerSecurity" . | nindent 10 }}
          command: [node, --disable-warning=TimeoutNegativeWarning, node_modules/@svc/service/dist/process/create-topics.js]
          env:
            {{- range $name := list "KAFKA_BROKERS" "KAFKA_TLS" "KAFKA_TLS_CA_FILE" "KAFKA_SASL_MECHANISM" "KAFKA_USERNAME" }}
            {{- with get $settings $name }}
            - name: {{ $name }}
              value: {{ . | quote }}
            {{- end }}
            {{- end }}
            {{- if $settings.KAFKA_SASL_MECHANISM }}
            {{- include "service.secret" (dict "name" "kafkaPassword" "key" .Values.existingSecret.keys.kafkaPassword "of" .Values.existingSecret) | nindent 12 }}
            {{- end }}
            - name: NAMESPACE
              value: {{ $settings.NAMESPACE | default "" | quote }}
            - name: TOPICS
              value: {{ include "service.topics" . }}
            {{- with .Values.global.topics.replicas }}
            - name: TOPIC_REPLICAS
              value: {{ . | quote }}
            {{- end }}
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
            limits:
              memory: 256Mi
          {{- $files := ternary (list "kafkaPassword") list (and (has "kafkaPassword" .Values.existingSecret.asFiles) (not (empty $settings.KAFKA_SASL_MECHANISM))) }}
          {{- if or $files .Values.certificates.existingSecret }}
          volumeMounts:
            {{- if $files }}
            - name: secrets
              mountPath: /secrets
              readOnly: true
            {{- end }}
            {{- if .Values.certificates.existingSecret }}
            - name: certificates
              mountPath: /certs
              readOnly: true
            {{- end }}
      volumes:
        {{- include "service.secretFiles" (dict "of" .Values.existingSecret "names" $files) | nindent 8 }}
        {{- with .Values.certificates.existingSecret }}
        - name: certificates
          secret:
            secretName: {{ . }}
            defaultMode: 288 # 0440
        {{- end }}
          {{- end }}
{{- end }}
{{- end }}
