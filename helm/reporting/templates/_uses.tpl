{{- define "reporting.uses" -}}
group: reporting.r2
consumes: [invoicing.invoice, invoicing.receipt, invoicing.history]
publishes: []
servers: [kafka, mongodb]
calls: {}
callers: [gateway]
{{- end }}
