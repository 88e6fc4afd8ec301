{{- /* The notes of one service's chart. */}}
{{- define "service.notes" -}}
{{- $name := include "service.name" . }}
{{ .Chart.Name }} {{ .Chart.AppVersion }} is in the namespace {{ .Release.Namespace }}:
{{- if eq .Values.rollout "argo" }}

  kubectl argo rollouts -n {{ .Release.Namespace }} status {{ $name }}
  kubectl -n {{ .Release.Namespace }} exec service/{{ $name }} -- svc admin
{{- else }}

  kubectl -n {{ .Release.Namespace }} rollout status deploy/{{ $name }}
  kubectl -n {{ .Release.Namespace }} exec deploy/{{ $name }} -- svc admin
{{- end }}
{{- include "service.warnings" . }}
{{- include "service.openServers" (dict "servers" (include "service.uses" . | fromYaml).servers "shared" .Values.global.networkPolicy) }}
{{- end }}

{{- /* What an operator has to know of the values that were given. */}}
{{- define "service.warnings" -}}
{{- if (.Values.development).enabled }}

WARNING: development settings of {{ .Chart.Name }} apply. They are not for production.
{{- end }}
{{- if not .Values.networkPolicy.enabled }}

WARNING: {{ .Chart.Name }} has no network policy.
{{- end }}
{{- if and (hasKey .Values "replicas") (lt (include "service.leastReplicas" . | int) 2) }}

WARNING: {{ .Chart.Name }} may have one pod, and so no disruption budget: while it is replaced by force, nothing of it answers.
{{- end }}
{{- if and (eq .Chart.Name "fiscal-submission") (eq (include "service.settings" . | fromYaml).SIMULATOR_URL "none") }}

No simulator answers test documents (simulatorUrl is none): to submit one is refused with 422, before it has a number.
{{- end }}
{{- include "service.objectsOfYours" . }}
{{- end }}

{{- /* Objects that no schema of the charts has judged. */}}
{{- define "service.objectsOfYours" -}}
{{- with .Values.extraObjects }}

Objects of yours, which {{ $.Chart.Name }} passes on as they are:
{{- range . }}
  {{ .kind }}/{{ .metadata.name }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Which of the servers pods may look for everywhere, by {servers, shared}. */}}
{{- define "service.openServers" -}}
{{- $open := list }}
{{- range .servers }}
{{- if not (get $.shared .).to }}{{ $open = append $open . }}{{ end }}
{{- end }}
{{- if $open }}

The network policies allow any address on the ports of {{ join ", " $open }}, since policies know no host names.
global.networkPolicy.<server>.to narrows that to networks or pods; .ports must be the ports in the URLs of the Secrets.
{{- end }}
{{- end }}

{{- /* From nothing to a fiscal code, by {gateway, namespace, port, publicUrl}. */}}
{{- define "service.firstFiscalCode" -}}
An account. Its keys are shown in this terminal only, and only once:

  kubectl -n {{ .namespace }} exec deploy/{{ .gateway }} -- svc admin accounts create --name Demo --plan professional

The API, on this machine (from outside it is {{ .publicUrl }}):

  kubectl -n {{ .namespace }} port-forward service/{{ .gateway }} {{ .port }} &

From nothing to a fiscal code:

  URL=http://localhost:{{ .port }}/v1
  KEY=the test key
  CUSTOMER=$(curl -s $URL/customers -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"name":"Blue Door Books"}' | sed 's/.*"id":"\(cust_[^"]*\)".*/\1/')
  INVOICE=$(curl -s $URL/invoices -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"customer_id":"'$CUSTOMER'","items":[{"description":"Consulting","quantity":2,"unit_price":50.25,"tax_rate":20}]}' | sed 's/.*"id":"\(inv_[^"]*\)".*/\1/')
  curl -s -X POST $URL/invoices/$INVOICE/submit -H "Authorization: Bearer $KEY" -H 'Prefer: wait=10'
{{- end }}
