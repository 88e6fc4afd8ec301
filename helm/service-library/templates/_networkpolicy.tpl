{{- /* What the pods of the service accept and where they connect: nothing else. */}}
{{- define "service.networkPolicy" -}}
{{- if .Values.networkPolicy.enabled -}}
{{- $uses := include "service.uses" . | fromYaml }}
{{- $monitoring := .Values.global.networkPolicy.monitoring }}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "service.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "service.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - port: {{ include "service.port" . }}
        {{- range $uses.ports }}
        - port: {{ . }}
        {{- end }}
      {{- if $uses.callers }}
      from:
        {{- include "service.pods" $uses.callers | trim | nindent 8 }}
      {{- else if .Values.networkPolicy.clients }}
      from:
        {{- toYaml .Values.networkPolicy.clients | nindent 8 }}
        {{- if .Values.test }}
        - podSelector:
            matchLabels:
              {{- include "service.test.selector" . | nindent 14 }}
        {{- end }}
      {{- end }}
    {{- if and .Values.settings.opsPort $monitoring }}
    - ports:
        - port: {{ .Values.settings.opsPort }}
      from:
        {{- toYaml $monitoring | nindent 8 }}
    {{- end }}
  {{- with include "service.egress" . | trim }}
  egress:
    {{- . | nindent 4 }}
  {{- else }}
  egress: []
  {{- end }}
{{- end }}
{{- end }}

{{- /* Where the pods of the service connect. */}}
{{- define "service.egress" -}}
{{- $uses := include "service.uses" . | fromYaml }}
{{- $settings := include "service.settings" . | fromYaml }}
{{- $shared := .Values.global.networkPolicy }}
{{- if $uses.servers }}
{{- include "service.egress.dns" . | nindent 0 }}
{{- end }}
{{- range $uses.servers }}
{{- include "service.egress.server" (dict "server" . "settings" $settings "shared" $shared) | trim | nindent 0 }}
{{- end }}
{{- range $name, $variables := $uses.calls }}
{{- $ports := list }}
{{- range $variables }}
{{- $url := get $settings . | default "" }}
{{- if hasPrefix "http" $url }}{{ $ports = append $ports (include "service.portOfUrl" $url) }}{{ end }}
{{- end }}
{{- with uniq $ports }}
- ports:
    {{- range . }}
    - port: {{ . }}
    {{- end }}
  to:
    {{- include "service.pods" (list $name) | trim | nindent 4 }}
{{- end }}
{{- end }}
{{- with $settings.OTEL_EXPORTER_OTLP_ENDPOINT }}
- ports:
    - port: {{ include "service.portOfUrl" . }}
  to:
    {{- include "service.peers" $shared.otlp.to | nindent 4 }}
{{- end }}
{{- with .Values.networkPolicy.authorities }}
- ports:
    - port: 443
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- with .Values.networkPolicy.webhooks }}
# The ports that an endpoint may have.
- ports:
    - port: 443
    - port: 1024
      endPort: 65535
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- with .Values.networkPolicy.extraEgress }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end }}

{{- define "service.topicsNetworkPolicy" -}}
{{- if and .Values.networkPolicy.enabled (eq .Values.global.topics.by "job") -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "service.name" . }}-topics
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "service.topics.selector" . | nindent 4 }}
    {{- include "service.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "service.topics.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress: []
  egress:
    {{- include "service.egress.dns" . | nindent 4 }}
    {{- include "service.egress.server" (dict "server" "kafka" "settings" (include "service.settings" . | fromYaml) "shared" .Values.global.networkPolicy) | nindent 4 }}
{{- end }}
{{- end }}
