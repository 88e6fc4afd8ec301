{{- /*
Fails for values that a schema cannot judge and Kubernetes would take: the pods would be killed, unreachable, or run with another setting than the values say.
*/}}
{{- define "service.mistakes" -}}
{{- include "service.quantities" . }}
{{- include "service.ports" . }}
{{- include "service.extraVariables" . }}
{{- include "service.secretKeys" . }}
{{- include "service.ownLabels" . }}
{{- include "service.stopping" . }}
{{- include "service.replicaCounts" . }}
{{- include "service.kafkaMistakes" . }}
{{- include "service.edgeMistakes" . }}
{{- include "service.egressMistakes" . }}
{{- if and .Values.image.tag .Values.image.digest }}
{{- fail (printf "%s: image.tag is %s and image.digest is given too, which alone would count: leave one of them empty" .Chart.Name .Values.image.tag) }}
{{- end }}
{{- if and .Values.serviceAccount.name .Values.serviceAccount.annotations }}
{{- fail (printf "%s: serviceAccount.annotations are of the chart's own ServiceAccount, and serviceAccount.name names yours (%s): annotate that one" .Chart.Name .Values.serviceAccount.name) }}
{{- end }}
{{- end }}

{{- define "service.ports" -}}
{{- $chart := .Chart.Name }}
{{- $known := dict }}
{{- range $name, $port := .Values.settings }}
{{- if or (eq $name "port") (hasSuffix "Port" $name) }}
{{- with get $known (toString (int $port)) }}
{{- fail (printf "%s: settings.%s and settings.%s are both %d: give them two ports" $chart $name . (int $port)) }}
{{- end }}
{{- $_ := set $known (toString (int $port)) $name }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Variables of extraEnv go before those of the Secret and of the settings. */}}
{{- define "service.extraVariables" -}}
{{- $known := dict "HOSTS" "is ingress.hosts: set that" "TRUSTED_PROXIES" "is ingress.trustedProxies: set that" }}
{{- range $name, $key := (.Values.existingSecret).keys }}
{{- $variable := include "service.variable" $name }}
{{- $_ := set $known $variable (printf "comes from existingSecret: put it into that Secret, as the key %s" $key) }}
{{- $_ := set $known (printf "%s_FILE" $variable) (printf "is made of existingSecret.asFiles: write %s there" $name) }}
{{- end }}
{{- range $from := list "settings" "development" }}
{{- range $name, $value := index $.Values $from | default dict }}
{{- $_ := set $known (include "service.variable" $name) (printf "is %s.%s: set that" $from $name) }}
{{- end }}
{{- end }}
{{- $given := list }}
{{- range $extra := .Values.extraEnv }}
{{- with get $known $extra.name }}
{{- fail (printf "%s: extraEnv has %s, which %s" $.Chart.Name $extra.name .) }}
{{- end }}
{{- if has $extra.name $given }}
{{- fail (printf "%s: extraEnv has %s twice" $.Chart.Name $extra.name) }}
{{- end }}
{{- if eq (hasKey $extra "value") (hasKey $extra "valueFrom") }}
{{- fail (printf "%s: extraEnv's %s has to have either value or valueFrom" $.Chart.Name $extra.name) }}
{{- end }}
{{- $given = append $given $extra.name }}
{{- end }}
{{- end }}

{{- define "service.secretKeys" -}}
{{- with .Values.existingSecret }}
{{- $keys := .keys }}
{{- range .asFiles }}
{{- if not (hasKey $keys .) }}
{{- fail (printf "%s: existingSecret.asFiles has %s, which is none of existingSecret.keys: %s" $.Chart.Name . (keys $keys | sortAlpha | join ", ")) }}
{{- end }}
{{- end }}
{{- $known := dict }}
{{- range $name, $key := $keys }}
{{- with get $known $key }}
{{- fail (printf "%s: existingSecret.keys.%s and existingSecret.keys.%s are both %s: two secrets cannot be one" $.Chart.Name . $name $key) }}
{{- end }}
{{- $_ := set $known $key $name }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Kubernetes finds the pods by these labels, and a changed setting makes new pods by that annotation. */}}
{{- define "service.ownLabels" -}}
{{- $own := include "service.selector" . | fromYaml }}
{{- range $name, $_ := .Values.podLabels }}
{{- if or (hasKey $own $name) (eq $name "app.kubernetes.io/part-of") }}
{{- fail (printf "%s: podLabels has %s, by which Services and policies find the pods: take another label" $.Chart.Name $name) }}
{{- end }}
{{- end }}
{{- if hasKey .Values.podAnnotations "checksum/settings" }}
{{- fail (printf "%s: podAnnotations has checksum/settings, by which a changed setting makes new pods: take another annotation" .Chart.Name) }}
{{- end }}
{{- end }}
