{{- define "invoicing.uses" -}}
group: invoicing
consumes: [fiscal.registration]
publishes: [invoicing.invoice, invoicing.receipt, invoicing.customer, invoicing.registration, invoicing.history, invoicing.series, invoicing.published]
alsoPublishes: [audit.setting]
servers: [kafka, mongodb, eventStore]
calls: {}
callers: [gateway]
{{- end }}
