{{- define "webhooks-dispatcher.uses" -}}
group: webhooks-dispatcher
consumes: [invoicing.invoice, invoicing.receipt, invoicing.customer]
publishes: []
alsoPublishes: [audit.setting]
servers: [kafka, mongodb]
calls: {}
callers: [gateway]
{{- end }}
