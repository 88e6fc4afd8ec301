{{- define "reporting.uses" -}}
group: reporting
consumes: [invoicing.invoice, invoicing.receipt, invoicing.customer]
publishes: []
servers: [kafka, mongodb]
calls: {}
callers: [gateway]
{{- end }}
