{{- /* Fails where a test document would wait for a simulator that is not there, or where the services differ about it. */}}
{{- define "platform.simulator" -}}
{{- $simulator := index .Values "authority-simulator" }}
{{- $fiscal := index .Values "fiscal-submission" }}
{{- $shared := .Values.global.settings.simulatorUrl }}
{{- $urls := dict }}
{{- range $service := list "fiscal-submission" "invoicing" }}
{{- $of := get $.Values $service }}
{{- if $of.enabled }}{{ $_ := set $urls $service ($of.settings.simulatorUrl | default $shared) }}{{ end }}
{{- end }}
{{- $fromFiscal := get $urls "fiscal-submission" }}
{{- if and (hasKey $urls "invoicing") (hasKey $urls "fiscal-submission") (ne (eq $fromFiscal "none") (eq $urls.invoicing "none")) }}
{{- fail (printf "settings.simulatorUrl of fiscal-submission is %q and that of invoicing %q: one would number what the other does not send. Set global.settings.simulatorUrl" $fromFiscal $urls.invoicing) }}
{{- end }}
{{- if $fiscal.enabled }}
{{- $own := printf "http://%s:%v" ($simulator.fullnameOverride | default "authority-simulator") ($simulator.settings).simulatorPort }}
{{- if and (not $simulator.enabled) (hasPrefix "http://authority-simulator:" $fromFiscal) }}
{{- fail (printf "authority-simulator.enabled is false, and simulatorUrl is its address (%s): no document of a test key would ever get a code. Set the origin of another simulator, or none, or enable this one" $fromFiscal) }}
{{- end }}
{{- if and $simulator.enabled (eq $fromFiscal "none") }}
{{- fail "authority-simulator.enabled is true, and simulatorUrl is none: nothing would be sent to it. Leave one of them" }}
{{- end }}
{{- if and $simulator.enabled (not $fromFiscal) (ne $own "http://authority-simulator:3002") }}
{{- fail (printf "authority-simulator of this release is at %s: set global.settings.simulatorUrl to that" $own) }}
{{- end }}
{{- end }}
{{- range $setting, $port := dict "alCisTestUrl" "alCisPort" "meEfiTestUrl" "meEfiPort" "esVerifactuTestUrl" "esVerifactuPort" }}
{{- include "platform.nationalService" (dict "values" $.Values "setting" $setting "port" $port) }}
{{- end }}
{{- end }}

{{- /* The same for one national authority, by {values, setting, port}: the name of its origin, and that of the simulator's port. */}}
{{- define "platform.nationalService" -}}
{{- $simulator := index .values "authority-simulator" }}
{{- $fiscal := index .values "fiscal-submission" }}
{{- $shared := get .values.global.settings .setting }}
{{- $fromFiscal := get ($fiscal.settings | default dict) .setting | default $shared }}
{{- $fromInvoicing := get (.values.invoicing.settings | default dict) .setting | default $shared }}
{{- if and $fiscal.enabled .values.invoicing.enabled (ne (empty $fromFiscal) (empty $fromInvoicing)) }}
{{- fail (printf "settings.%s of fiscal-submission is %q and that of invoicing %q: one would number what the other does not send. Set global.settings.%s" .setting $fromFiscal $fromInvoicing .setting) }}
{{- end }}
{{- $own := printf "https://%s:%v" ($simulator.fullnameOverride | default "authority-simulator") (get ($simulator.settings | default dict) .port) }}
{{- if and $fiscal.enabled (not $simulator.enabled) (hasPrefix "https://authority-simulator:" $fromFiscal) }}
{{- fail (printf "authority-simulator.enabled is false, and %s is its address (%s): no test document for it would ever get a code. Set the origin of another service, leave it empty, or enable this one" .setting $fromFiscal) }}
{{- end }}
{{- $standard := printf "https://authority-simulator:%s" (get (dict "alCisPort" "3003" "meEfiPort" "3004" "esVerifactuPort" "3005") .port) }}
{{- if and $fiscal.enabled $simulator.enabled (not $fromFiscal) (ne $own $standard) }}
{{- fail (printf "authority-simulator of this release is at %s: set global.settings.%s to that" $own .setting) }}
{{- end }}
{{- end }}
