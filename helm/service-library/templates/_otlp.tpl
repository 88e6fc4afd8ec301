{{- /*
The variables of OpenTelemetry's SDK besides the endpoint, which is a setting: none where no collector is named. extraEnv comes after them and overrides them.
*/}}
{{- define "service.otlp" -}}
{{- if (include "service.settings" . | fromYaml).OTEL_EXPORTER_OTLP_ENDPOINT }}
{{- with .Values.global.otlp }}
{{- if .protocol }}
- name: OTEL_EXPORTER_OTLP_PROTOCOL
  value: {{ .protocol }}
{{- end }}
{{- $signals := .signals }}
{{- range list "traces" "metrics" "logs" }}
{{- if not (has . $signals) }}
- name: OTEL_{{ upper . }}_EXPORTER
  value: none
{{- end }}
{{- end }}
{{- if ne (float64 .traceShare) 1.0 }}
- name: OTEL_TRACES_SAMPLER
  value: parentbased_traceidratio
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .traceShare | quote }}
{{- end }}
{{- if .headers.existingSecret }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef:
      name: {{ .headers.existingSecret }}
      key: {{ .headers.key }}
{{- end }}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
{{- $attributes := dict "k8s.namespace.name" $.Release.Namespace "service.version" $.Chart.AppVersion }}
{{- $pairs := list "k8s.pod.name=$(POD_NAME)" }}
{{- range $name, $value := merge (deepCopy .resourceAttributes) $attributes }}
{{- $pairs = append $pairs (printf "%s=%s" $name $value) }}
{{- end }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: {{ join "," $pairs | quote }}
{{- end }}
{{- end }}
{{- end }}
