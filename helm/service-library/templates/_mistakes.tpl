{{- /*
Fails for values that a schema cannot judge and Kubernetes would take: the pods would be killed, unreachable, or run with another setting than the values say.
*/}}
{{- define "service.mistakes" -}}
{{- include "service.quantities" . }}
{{- include "service.ports" . }}
{{- include "service.extraVariables" . }}
{{- end }}

{{- /* A number alone is bytes, or whole processors. */}}
{{- define "service.quantities" -}}
{{- range $kind, $quantities := .Values.resources }}
{{- range $name, $given := $quantities }}
{{- $text := include "service.text" $given }}
{{- if and (eq $name "memory") (regexMatch "^[0-9]{1,7}$" $text) }}
{{- fail (printf "%s: resources.%s.memory is %s, which is so many bytes: write %sMi" $.Chart.Name $kind $text $text) }}
{{- end }}
{{- if and (eq $name "cpu") (regexMatch "^[0-9]{3,}$" $text) }}
{{- fail (printf "%s: resources.%s.cpu is %s, which is so many processors: write %sm" $.Chart.Name $kind $text $text) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "service.ports" -}}
{{- with .Values.settings }}
{{- if and (hasKey . "opsPort") (eq (int .port) (int .opsPort)) }}
{{- fail (printf "%s: settings.port and settings.opsPort are both %d: give them two ports" $.Chart.Name (int .port)) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Variables of extraEnv go before those of the Secret and of the settings. */}}
{{- define "service.extraVariables" -}}
{{- $known := dict }}
{{- range $name, $key := (.Values.existingSecret).keys }}
{{- $_ := set $known (include "service.variable" $name) (printf "comes from existingSecret: put it into that Secret, as the key %s" $key) }}
{{- end }}
{{- range $from := list "settings" "development" }}
{{- range $name, $value := index $.Values $from | default dict }}
{{- $_ := set $known (include "service.variable" $name) (printf "is %s.%s: set that" $from $name) }}
{{- end }}
{{- end }}
{{- range $extra := .Values.extraEnv }}
{{- with get $known $extra.name }}
{{- fail (printf "%s: extraEnv has %s, which %s" $.Chart.Name $extra.name .) }}
{{- end }}
{{- end }}
{{- end }}
