{{- /* The port of requests alone: the operators' port is behind no Service. */}}
{{- define "service.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "service.metadata" . | nindent 2 }}
  {{- with .Values.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: ClusterIP
  {{- with .Values.service.ipFamilyPolicy }}
  ipFamilyPolicy: {{ . }}
  {{- end }}
  selector:
    {{- include "service.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ include "service.port" . }}
      targetPort: http
      appProtocol: http
    {{- range $name, $port := (include "service.uses" . | fromYaml).ports }}
    - name: {{ $name }}
      port: {{ $port }}
      targetPort: {{ $name }}
    {{- end }}
{{- end }}

{{- define "service.port" -}}
{{- .Values.settings.port | default .Values.settings.simulatorPort }}
{{- end }}
