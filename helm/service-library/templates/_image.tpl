{{- define "service.image" -}}
{{- $registry := .Values.image.registry | default ((.Values.global).image).registry }}
{{- with $registry }}{{ . }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default ((.Values.global).image).tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "service.pullSecrets" -}}
{{- with ((.Values.global).image).pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
