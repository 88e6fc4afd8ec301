{{- define "service.podMetadata" -}}
labels:
  {{- include "service.selector" . | nindent 2 }}
  {{- include "service.labels" . | nindent 2 }}
  {{- with .Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  # New settings make new pods.
  checksum/settings: {{ include "service.settings" . | sha256sum }}
  {{- with .Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* What every pod of a service has, besides its containers. */}}
{{- define "service.pod" -}}
serviceAccountName: {{ include "service.serviceAccountName" . }}
{{ include "service.podSecurity" . }}
{{- include "service.pullSecrets" . }}
{{- include "service.placement" . }}
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
{{- end }}

{{- define "service.placement" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Replicas are spread over nodes and zones where there are several; where there are not, they run all the same. */}}
{{- define "service.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "service.selector" $ | nindent 8 }}
    # Pods of the earlier revision do not count: they are about to go.
    matchLabelKeys: [{{ ternary "rollouts-pod-template-hash" "pod-template-hash" (eq $.Values.rollout "argo") }}]
  {{- end }}
{{- end }}
