{{- define "reporting.uses" -}}
group: reporting.r2
consumes: [invoicing.invoice, invoicing.receipt, invoicing.history, invoicing.series, invoicing.published, audit.setting]
publishes: []
alsoPublishes: [audit.setting]
servers: [kafka, mongodb]
calls: {}
callers: [gateway]
{{- end }}
