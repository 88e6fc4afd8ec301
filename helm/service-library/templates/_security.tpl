{{- /* PodSecurity "restricted", and more: a fixed user, a read-only root. */}}
{{- define "service.podSecurity" -}}
automountServiceAccountToken: false
# Otherwise each Service of the namespace would become variables of every process.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "service.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}
