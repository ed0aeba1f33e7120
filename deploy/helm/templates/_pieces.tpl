{{- define "bazaar.name" -}}
{{- if contains "knowledge-bazaar" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-knowledge-bazaar" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "bazaar.selector" -}}
app.kubernetes.io/name: knowledge-bazaar
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bazaar.labels" -}}
{{ include "bazaar.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* What the pods read at their start; a change replaces them. */ -}}
{{- define "bazaar.podAnnotations" -}}
checksum/settings: {{ toJson (list .Values.settings .Values.secrets .Values.publicUrl .Values.extraEnv .Values.extraEnvFrom) | sha256sum }}
{{- with .Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "bazaar.settings" -}}
PUBLIC_URL: {{ .Values.publicUrl | quote }}
JOBS: elsewhere
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "bazaar.secrets" -}}
{{- $secrets := .Values.secrets -}}
AUTH_SECRETS: {{ required "secrets.AUTH_SECRETS: a key of 32 characters or more, or name an existingSecret" $secrets.AUTH_SECRETS | quote }}
DATABASE_URL: {{ required "secrets.DATABASE_URL: postgres://…, or name an existingSecret" $secrets.DATABASE_URL | quote }}
{{- range $name, $value := omit $secrets "AUTH_SECRETS" "DATABASE_URL" }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "bazaar.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* What every pod begins with: who it is, and that it may do nothing else. */ -}}
{{- define "bazaar.pod" -}}
serviceAccountName: {{ include "bazaar.name" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: temporary
    emptyDir:
      sizeLimit: {{ .Values.temporary.sizeLimit }}
  - name: data
    emptyDir: {}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* Takes the context, and the suffix of the settings' names: none for those that the migration reads. */ -}}
{{- define "bazaar.container" -}}
{{- $name := include "bazaar.name" .context -}}
{{- with .context -}}
image: {{ include "bazaar.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - configMapRef:
      name: {{ $name }}{{ $.settings }}
  - secretRef:
      name: {{ .Values.existingSecret | default (print $name $.settings) }}
  {{- with .Values.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - name: temporary
    mountPath: /tmp
  - name: data
    mountPath: /data
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Takes the context and the part, `node` or `worker`. */ -}}
{{- define "bazaar.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "bazaar.selector" .context | nindent 8 }}
        app.kubernetes.io/component: {{ .part }}
{{- end }}
