{{- /*
The environment variables of the settings, as YAML: logLevel is LOG_LEVEL. A value is the chart's own, else the one that the charts share, else absent, so
that the program's default applies.
*/}}
{{- define "service.settings" -}}
{{- $shared := (.Values.global).settings | default dict }}
{{- $variables := dict }}
{{- range $name, $own := .Values.settings }}
{{- $value := ternary (get $shared $name) $own (eq (include "service.isEmpty" $own) "yes") }}
{{- if ne (include "service.isEmpty" $value) "yes" }}
{{- $_ := set $variables (include "service.variable" $name) (include "service.text" $value) }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.development }}
{{- if and $.Values.development.enabled (ne $name "enabled") (ne (include "service.isEmpty" $value) "yes") }}
{{- $_ := set $variables (include "service.variable" $name) (include "service.text" $value) }}
{{- end }}
{{- end }}
{{- with .Values.ingress }}
{{- include "service.edge" (dict "ingress" . "variables" $variables) }}
{{- end }}
{{- if and (hasKey .Values.settings "simulatorUrl") (not $variables.SIMULATOR_URL) }}
{{- with include "service.simulatorOfRelease" . }}{{ $_ := set $variables "SIMULATOR_URL" . }}{{ end }}
{{- end }}
{{- range $variable, $url := include "service.nationalOfRelease" . | fromYaml }}
{{- $name := get (include "service.testConnections" $ | fromYaml) $variable }}
{{- if and (hasKey $.Values.settings $name) (not (get $variables $variable)) }}{{ $_ := set $variables $variable $url }}{{ end }}
{{- end }}
{{- if and (eq .Chart.Name "fiscal-submission") (not $variables.SIMULATOR_URL) }}
{{- fail "fiscal-submission: nothing answers test documents. Set authority-simulator.enabled=true, or global.settings.simulatorUrl to the origin of a simulator, or to none" }}
{{- end }}
{{- range $name := list "publicUrl" "kafkaBrokers" }}
{{- if and (hasKey $.Values.settings $name) (not (hasKey $variables (include "service.variable" $name))) }}
{{- fail (printf "%s: settings.%s is empty, and global.settings.%s is too: one of them must be set" $.Chart.Name $name $name) }}
{{- end }}
{{- end }}
{{- toYaml $variables }}
{{- end }}

{{- /* Where test documents of national authorities go: the settings, by their variables. */}}
{{- define "service.testConnections" -}}
AL_CIS_TEST_URL: alCisTestUrl
ME_EFI_TEST_URL: meEfiTestUrl
ES_VERIFACTU_TEST_URL: esVerifactuTestUrl
{{- end }}

{{- /* What the names of topics and groups begin with. */}}
{{- define "service.prefix" -}}
{{- with .NAMESPACE }}{{ . }}.{{ end }}
{{- end }}

{{- define "service.variable" -}}
{{- . | snakecase | upper }}
{{- end }}

{{- /* A number of the values is a float here: 1000000 would become 1e+06. */}}
{{- define "service.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- /*
The variables from the Secret that the operator has made. Only `OPS_TOKEN`, the tokens of single operators, the mail server and the passphrase of a collaborator's certificate may be missing from it, and Kafka's password where Kafka asks for none.
*/}}
{{- define "service.secrets" -}}
{{- $keys := .Values.existingSecret.keys }}
{{- if not (include "service.settings" . | fromYaml).KAFKA_SASL_MECHANISM }}{{ $keys = omit $keys "kafkaPassword" }}{{ end }}
{{- $secret := required (printf "%s: existingSecret.name is empty: name a Secret with the keys %s (see the chart's README)" .Chart.Name (values $keys | sortAlpha | join ", ")) .Values.existingSecret.name }}
{{- range $name, $key := $keys }}
{{ include "service.secret" (dict "name" $name "key" $key "of" $.Values.existingSecret) }}
{{- end }}
{{- end }}

{{- /* One of these variables, or its form with the path of a file. */}}
{{- define "service.secret" -}}
{{- $variable := include "service.variable" .name }}
{{- if has .name .of.asFiles -}}
- name: {{ $variable }}_FILE
  value: /secrets/{{ $variable }}
{{- else -}}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .of.name }}
      key: {{ .key }}
      {{- if has .name (list "opsToken" "adminTokens" "smtpUrl" "esVerifactuPassphrase") }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{- /* The volume of the secrets that are files, by {of, names}; nothing where there is none. */}}
{{- define "service.secretFiles" -}}
{{- if .names -}}
- name: secrets
  secret:
    secretName: {{ .of.name }}
    defaultMode: 288 # 0440
    items:
      {{- range .names }}
      - key: {{ get $.of.keys . }}
        path: {{ include "service.variable" . }}
      {{- end }}
{{- end }}
{{- end }}

{{- /* What the ingress knows of hosts and of itself, as the settings of the edge. */}}
{{- define "service.edge" -}}
{{- $hosts := list }}
{{- range .ingress.hosts }}
{{- if .kind }}{{ $hosts = append $hosts (printf "%s=%s" .host .kind) }}{{ end }}
{{- end }}
{{- if $hosts }}{{ $_ := set .variables "HOSTS" (join "," $hosts) }}{{ end }}
{{- if .ingress.trustedProxies }}{{ $_ := set .variables "TRUSTED_PROXIES" (join "," .ingress.trustedProxies) }}{{ end }}
{{- end }}
