{{- define "service.container" -}}
image: {{ include "service.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{ include "service.containerSecurity" . }}
envFrom:
  - configMapRef:
      name: {{ include "service.name" . }}
env:
  {{- include "service.secrets" . | trim | nindent 2 }}
  {{- include "service.otlp" . | trim | nindent 2 }}
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
ports:
  - name: http
    containerPort: {{ .Values.settings.port }}
  - name: ops
    containerPort: {{ .Values.settings.opsPort }}
{{ include "service.probes" . }}
lifecycle:
  preStop:
    # The endpoints of the Service forget the pod meanwhile; then SIGTERM, and the process finishes what it has.
    sleep:
      seconds: {{ .Values.preStopSleepSeconds }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /app/data
  {{- if .Values.existingSecret.asFiles }}
  - name: secrets
    mountPath: /secrets
    readOnly: true
  {{- end }}
  {{- if .Values.certificates.existingSecret }}
  - name: certificates
    mountPath: /certs
    readOnly: true
  {{- end }}
{{- end }}

{{- /*
/healthz answers from the first moment, also while servers are away: a restart would not bring them back. /readyz answers within 2 s, when the servers do and the
process has what it serves.
*/}}
{{- define "service.probes" -}}
startupProbe:
  httpGet:
    path: /healthz
    port: ops
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /healthz
    port: ops
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /readyz
    port: ops
  periodSeconds: 3
  timeoutSeconds: 3
  failureThreshold: 3
{{- end }}
