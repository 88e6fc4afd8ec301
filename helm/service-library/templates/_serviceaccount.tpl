{{- define "service.serviceAccount" -}}
{{- if not .Values.serviceAccount.name -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "service.metadata" . | nindent 2 }}
  {{- with .Values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
# No process calls the API of Kubernetes.
automountServiceAccountToken: false
{{- end }}
{{- end }}
