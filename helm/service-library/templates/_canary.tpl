{{- /* A part of the pods of the new release runs and is judged; then half of them; then all. A judgement that fails takes the release back. */}}
{{- define "service.strategy.argo" -}}
{{- $canary := .Values.global.canary }}
{{- if not $canary.prometheus }}
{{- fail (printf "%s: rollout is argo, and global.canary.prometheus is empty: name the Prometheus that judges a release, such as http://prometheus.monitoring:9090" .Chart.Name) }}
{{- end }}
canary:
  maxUnavailable: 0
  maxSurge: 1
  steps:
    {{- range $weight := list 25 50 }}
    - setWeight: {{ $weight }}
    - pause:
        duration: {{ $canary.stepSeconds }}
    - analysis:
        templates:
          - templateName: {{ include "service.name" $ }}
        args:
          - name: pods
            valueFrom:
              podTemplateHashValue: Latest
    {{- end }}
{{- end }}

{{- define "service.analysisTemplate" -}}
{{- if eq .Values.rollout "argo" -}}
{{- $canary := .Values.global.canary }}
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata:
  {{- include "service.metadata" . | nindent 2 }}
spec:
  args:
    # By which the names of the release's new pods differ from those of the old.
    - name: pods
  metrics:
    {{- range include "service.judgements" . | fromYamlArray }}
    - name: {{ .name }}
      count: 3
      interval: 30s
      # One of three may be an accident.
      failureLimit: 1
      successCondition: result[0] {{ .is }}
      provider:
        prometheus:
          address: {{ $canary.prometheus | quote }}
          query: {{ .query | toJson }}
    {{- end }}
{{- end }}
{{- end }}

{{- /*
What judges a release, as a list of {name, is, query}. Each query has one value, also where nothing happens: that the pods are read at all, and are of this release,
svc_build_info says. Requests are measured by gateways alone: of another service's release they show what users notice.
*/}}
{{- define "service.judgements" -}}
{{- $canary := .Values.global.canary }}
{{- $uses := include "service.uses" . | fromYaml }}
{{- $all := printf "namespace=%q" .Release.Namespace }}
{{- $own := printf "%s,pod=~\"%s-.+\"" $all (include "service.name" .) }}
{{- $new := printf "%s,pod=~\"%s-{{args.pods}}-.+\"" $all (include "service.name" .) }}
{{- $requests := ternary $new $all (eq .Chart.Name "gateway") }}
{{- /* Of an image of the operator's own the chart does not know the release. */}}
{{- $given := or .Values.image.tag .Values.image.digest .Values.global.image.tag }}
{{- $version := ternary "" (printf ",version=%q" .Chart.AppVersion) (not (empty $given)) }}
{{- $step := printf "%ds" (int $canary.stepSeconds) }}
- name: read
  is: '>= 1'
  query: {{ printf "count(svc_build_info{%s%s}) or vector(0)" $new $version | toJson }}
- name: failed-requests
  is: '<= {{ $canary.errorShare }}'
  query: {{ printf "sum(rate(svc_http_request_seconds_count{%s,status=~\"5..\"}[%s])) / (sum(rate(svc_http_request_seconds_count{%s}[%s])) > 0) or vector(0)" $requests $step $requests $step | toJson }}
- name: slow-requests
  is: '<= {{ $canary.requestSeconds }}'
  query: {{ printf "histogram_quantile(0.95, sum by (le) (rate(svc_http_request_seconds_bucket{%s,route!~\".+/(submit|resubmit|void|register|batch|check|test|redeliver|pdf|ubl)|POST /receipts|GET /events\"}[%s]))) >= 0 or vector(0)" $requests $step | toJson }}
- name: dead-letters
  is: '== 0'
  query: {{ printf "sum(svc_dead_letters_total{%s}) or vector(0)" $new | toJson }}
- name: failures-of-stores
  is: '<= 3'
  query: {{ printf "sum(increase(svc_store_failures_total{%s}[%s])) or vector(0)" $new $step | toJson }}
{{- if has "eventStore" $uses.servers }}
- name: subscription-lag
  is: '<= {{ $canary.lagSeconds }}'
  query: {{ printf "max(svc_subscription_lag_seconds{%s}) or vector(0)" $new | toJson }}
{{- end }}
{{- if $uses.consumes }}
- name: consumer-lag
  is: '<= {{ $canary.lagEvents | int64 }}'
  query: {{ printf "max(svc_consumer_lag_events{%s}) or vector(0)" $own | toJson }}
{{- end }}
{{- end }}
