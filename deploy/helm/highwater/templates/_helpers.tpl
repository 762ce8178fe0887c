{{- define "highwater.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "highwater.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "highwater.labels" -}}
{{ include "highwater.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Of a dict with the image and the chart's version. */}}
{{- define "highwater.image" -}}
{{- if .image.digest }}{{ .image.repository }}@{{ .image.digest }}
{{- else }}{{ .image.repository }}:{{ .image.tag | default .version }}{{ end }}
{{- end }}

{{- define "highwater.secret" -}}
{{- if .Values.database.existingSecret }}{{ .Values.database.existingSecret }}
{{- else if .Values.database.url }}{{ include "highwater.name" . }}-database
{{- else }}{{ fail "set database.existingSecret, or database.url: postgresql://USER:PASSWORD@HOST/NAME" }}{{ end }}
{{- end }}

{{- define "highwater.databaseEnv" -}}
- name: HIGHWATER_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "highwater.secret" . }}
      key: {{ if .Values.database.existingSecret }}{{ .Values.database.key }}{{ else }}url{{ end }}
{{- end }}

{{- define "highwater.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "highwater.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
