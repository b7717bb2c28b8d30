package io.hiroba;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AdminConfig;
import io.hiroba.activity.ActivityConfig;
import io.hiroba.agents.AgentsConfig;
import io.hiroba.backup.BackupConfig;
import io.hiroba.backup.BackupSources;
import io.hiroba.inbox.InboxConfig;
import io.hiroba.knowledge.KnowledgeConfig;
import io.hiroba.mcp.McpConfig;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.events.EventsConfig;
import io.hiroba.platform.events.RedisConfig;
import io.hiroba.platform.grpc.GrpcConfig;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.log.LogConfig;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.secrets.SecretsConfig;
import io.hiroba.platform.trace.TracingConfig;
import io.hiroba.saga.SagaConfig;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.media.MediaConfig;
import io.hiroba.system.UpdatesConfig;
import io.hiroba.webhooks.WebhooksConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;

/** Everything that can be set. */
public record AppConfig(
        @Default("")
        @Doc("The folder for the embedded database, mail without SMTP, pictures and logs. Empty means `hiroba` in the"
                + " user's data folder.")
        Path data,

        @Default("false")
        @Doc("Whether a little community to look around in is filled at the start, once. A start after that changes"
                + " nothing.")
        boolean demo,

        HttpConfig http,
        GrpcConfig grpc,
        DatabaseConfig database,
        EventsConfig events,
        RedisConfig redis,
        SecretsConfig secrets,
        MailConfig mail,
        AccountsConfig accounts,
        SocialConfig social,
        MediaConfig media,
        ActivityConfig activity,
        SagaConfig saga,
        KnowledgeConfig knowledge,
        InboxConfig inbox,
        WebhooksConfig webhooks,
        AgentsConfig agents,
        McpConfig mcp,
        BackupConfig backup,
        LogConfig log,
        TracingConfig tracing,
        UpdatesConfig updates,
        AdminConfig admin) {

    public AppConfig {
        data = data.toString().isEmpty() ? defaultData() : data;
        data = data.toAbsolutePath().normalize();
        if (database.poolSize() < DatabaseConfig.MIN_NODE_SIZE) {
            throw new IllegalArgumentException("`database.pool-size` must be at least %d, not %d"
                    .formatted(DatabaseConfig.MIN_NODE_SIZE, database.poolSize()));
        }
    }

    /**
     * The places of what a backup takes along, as they are set.
     *
     * @param configFile that these settings were read from
     */
    BackupSources backupSources(Optional<Path> configFile) {
        var elsewhere = new HashMap<String, Path>();
        if (!media.s3().isConfigured()) {
            elsewhere.put("media", media.folderIn(data));
        }
        elsewhere.put("keys", secrets.fileIn(data));
        if (!saga.archive().toString().isEmpty()) {
            elsewhere.put("saga-archive", saga.archive().toAbsolutePath());
        }
        elsewhere.values().removeIf(place -> place.normalize().startsWith(data));
        return new BackupSources(
                data,
                elsewhere,
                configFile,
                backup.isConfigured() ? Optional.of(backup.folderIn(data)) : Optional.empty(),
                !database.url().isEmpty(),
                media.s3().isConfigured() ? Optional.of("s3://" + media.s3().bucket()) : Optional.empty());
    }

    private static Path defaultData() {
        String xdg = System.getenv("XDG_DATA_HOME");
        Path base = xdg != null && Path.of(xdg).isAbsolute()
                ? Path.of(xdg)
                : Path.of(System.getProperty("user.home"), ".local", "share");
        return base.resolve("hiroba");
    }
}
