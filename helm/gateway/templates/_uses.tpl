{{- define "gateway.uses" -}}
group: gateway
consumes: [invoicing.customer, fiscal.registration]
publishes: [audit.setting]
servers: [kafka, mongodb]
calls: { invoicing: [INVOICING_URL], fiscal-submission: [FISCAL_SUBMISSION_URL], webhooks-dispatcher: [WEBHOOKS_URL], reporting: [REPORTING_URL] }
callers: []
{{- end }}

{{- define "gateway.backend" -}}
backendRefs:
  - name: {{ include "service.name" . }}
    port: {{ include "service.port" . }}
{{- end }}
