{{- define "reporting.uses" -}}
group: reporting
consumes: [invoicing.invoice, invoicing.receipt]
publishes: []
servers: [kafka, mongodb]
calls: {}
callers: [gateway]
{{- end }}
