{{- /* The pods of a service: a Deployment, or a Rollout, which replaces them by steps that metrics judge. */}}
{{- define "service.deployment" -}}
{{- include "service.mistakes" . -}}
{{ include "service.workloadKind" . }}
metadata:
  {{- include "service.metadata" . | nindent 2 }}
spec:
  {{- if not (include "service.isScaled" .) }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  minReadySeconds: {{ .Values.minReadySeconds }}
  revisionHistoryLimit: {{ .Values.revisionHistoryLimit }}
  strategy:
    {{- include (printf "service.strategy.%s" .Values.rollout) . | nindent 4 }}
  selector:
    matchLabels:
      {{- include "service.selector" . | nindent 6 }}
  template:
    metadata:
      {{- include "service.podMetadata" . | nindent 6 }}
    spec:
      {{- include "service.pod" . | nindent 6 }}
      {{- include "service.spread" . | trim | nindent 6 }}
      containers:
        - name: {{ .Chart.Name }}
          {{- include "service.container" . | nindent 10 }}
      volumes:
        - name: tmp
          emptyDir: {}
        - name: data
          emptyDir: {}
        {{- include "service.secretFiles" (dict "of" .Values.existingSecret "names" .Values.existingSecret.asFiles) | nindent 8 }}
        {{- with .Values.certificates.existingSecret }}
        - name: certificates
          secret:
            secretName: {{ . }}
            defaultMode: 288 # 0440
        {{- end }}
{{- end }}

{{- define "service.strategy.deployment" -}}
type: RollingUpdate
rollingUpdate:
  # The old pod goes when the new one is ready.
  maxUnavailable: 0
  maxSurge: 1
{{- end }}

{{- /* What sets the number of pods refers to it by these, and its name. */}}
{{- define "service.workloadKind" -}}
{{- if eq .Values.rollout "argo" -}}
apiVersion: argoproj.io/v1alpha1
kind: Rollout
{{- else -}}
apiVersion: apps/v1
kind: Deployment
{{- end }}
{{- end }}
