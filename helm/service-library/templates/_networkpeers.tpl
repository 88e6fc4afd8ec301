{{- /* Pods of services of this system, in the same namespace, whatever release they are of. */}}
{{- define "service.pods" -}}
{{- range . }}
- podSelector:
    matchLabels:
      app.kubernetes.io/name: {{ . }}
      app.kubernetes.io/part-of: invoicing-platform
      app.kubernetes.io/component: service
{{- end }}
{{- end }}

{{- /* The given peers, else any address but link-local ones, where clouds have the credentials of the node. */}}
{{- define "service.peers" -}}
{{- if . }}
{{- toYaml . }}
{{- else -}}
- namespaceSelector: {}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [169.254.0.0/16]
- ipBlock:
    cidr: ::/0
    except: [fe80::/10, 'fd00:ec2::254/128']
{{- end }}
{{- end }}

{{- define "service.egress.dns" -}}
- ports:
    {{- range .Values.global.networkPolicy.dns.ports }}
    - port: {{ . }}
      protocol: UDP
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  to:
    {{- toYaml .Values.global.networkPolicy.dns.to | nindent 4 }}
{{- end }}

{{- define "service.egress.server" -}}
{{- $where := get .shared .server }}
{{- $ports := $where.ports }}
{{- if and (eq .server "kafka") (not $ports) }}
{{- range splitList "," (.settings.KAFKA_BROKERS | default "") }}
{{- $ports = append $ports (regexFind "[0-9]+$" (trim .)) }}
{{- end }}
{{- end }}
# {{ .server }}
- ports:
    {{- range uniq $ports }}
    - port: {{ . }}
    {{- end }}
  to:
    {{- include "service.peers" $where.to | nindent 4 }}
{{- end }}

{{- define "service.portOfUrl" -}}
{{- $url := urlParse . }}
{{- regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary 443 80 (eq $url.scheme "https")) }}
{{- end }}
