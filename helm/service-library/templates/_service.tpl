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

{{- /* Its name has the address of every ready pod: whoever asks there shares its requests among them by itself. */}}
{{- define "service.headless" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "service.name" . }}-pods
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "service.selector" . | nindent 4 }}
    {{- include "service.labels" . | nindent 4 }}
spec:
  type: ClusterIP
  clusterIP: None
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
{{- end }}
