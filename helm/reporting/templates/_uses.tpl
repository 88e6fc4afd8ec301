{{- define "reporting.uses" -}}
group: reporting.r2
consumes: [invoicing.invoice, invoicing.receipt, invoicing.history, invoicing.series, invoicing.published, audit.setting]
publishes: []
servers: [kafka, mongodb]
calls: {}
callers: [gateway]
{{- end }}
