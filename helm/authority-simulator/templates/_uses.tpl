{{- define "authority-simulator.uses" -}}
consumes: []
publishes: []
servers: []
calls: {}
callers: [fiscal-submission]
{{- end }}
