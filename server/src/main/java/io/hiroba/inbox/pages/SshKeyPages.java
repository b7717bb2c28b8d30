package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.SshKeys;
import io.hiroba.inbox.SshPublicKey;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** The pages of the reader's SSH keys. */
final class SshKeyPages implements Routes {

    private static final String KEYS = InboxNav.SETTINGS + "/keys";

    private final Shell shell;
    private final InboxSettingsPages settings;
    private final Db db;
    private final SshKeys keys;
    private final Readers readers;

    SshKeyPages(Shell shell, InboxSettingsPages settings, Db db, SshKeys keys, Readers readers) {
        this.shell = shell;
        this.settings = settings;
        this.db = db;
        this.keys = keys;
        this.readers = readers;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(KEYS, this::add);
        routes.post(KEYS + "/{id}/delete", this::delete);
    }

    private void add(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "key", "title", "expiresAt");
        try {
            var key = SshPublicKey.parse(form.value("key"));
            var title = form.value("title").isBlank() ? null : form.value("title");
            var expires = expires(ctx, form.value("expiresAt"));
            db.useTransaction(tx -> keys.add(tx, caller, key, title, expires));
            shell.seeOther(ctx, InboxNav.SETTINGS, Text.of("inbox.key-added"));
        } catch (Problem refusal) {
            settings.refused(ctx, refusal, form);
        }
    }

    /** The end of the day that was picked, where the reader lives. */
    private @Nullable Instant expires(Context ctx, String picked) {
        if (picked.isBlank()) {
            return null;
        }
        try {
            return LocalDate.parse(picked.strip())
                    .plusDays(1)
                    .atStartOfDay(readers.reader(ctx).zone())
                    .toInstant();
        } catch (DateTimeParseException e) {
            throw InboxProblem.invalid("expiresAt", Text.of("inbox.field.date"));
        }
    }

    private void delete(Context ctx) {
        keys.delete(Caller.of(ctx), ResourceId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.SETTINGS, Text.of("inbox.key-deleted"));
    }
}
