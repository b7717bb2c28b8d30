package io.hiroba.accounts.pages;

import io.hiroba.accounts.AuditFilter;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.AuditEntry;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The admin page of the audit log, with filters. */
public final class AuditPages implements Routes {

    private static final String PATH = "/admin/audit";
    private static final int PAGE_SIZE = 50;

    private final Shell shell;
    private final Readers readers;
    private final AuditLog audit;
    private final Users users;
    private final KeysetList<AuditEntry, Long> list;

    AuditPages(Shell shell, Readers readers, AuditLog audit, Users users, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.audit = audit;
        this.users = users;
        this.list = new KeysetList<>(
                cursors, "pages.audit", cursor -> cursor.number(0), last -> Cursor.of(Long.toString(last.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var reader = readers.reader(ctx);
        var filters = new Filters(ctx, reader);
        var request = PageRequest.of(ctx, PAGE_SIZE, PAGE_SIZE);
        var filter = filters.filter();
        var page = filters.form.hasErrors()
                ? new Page<AuditEntry>(List.of(), null)
                : list.page(request, (before, limit) -> audit.list(caller, filter, before, limit));
        var next = page.next();
        var view = new AuditView(
                filters.form,
                choices(reader, Action.values(), Action::code, "accounts.audit-action."),
                choices(reader, TargetKind.values(), TargetKind::code, "accounts.audit-kind."),
                page.items().stream().map(entry -> AuditRow.of(entry, reader)).toList(),
                filters.typed.isEmpty() ? "" : query(filters.typed),
                "/api/v1/audit/export?" + query(filters.absolute),
                request.after().isPresent(),
                next == null ? null : PATH + "?" + query(filters.typed) + "after=" + next);
        shell.page(ctx, Text.of("accounts.audit"), "accounts/admin-audit", Map.of("audit", view));
    }

    private static <E> List<FilterChoice> choices(
            Reader reader, E[] all, Function<E, String> code, String messages) {
        return Arrays.stream(all)
                .map(code)
                .map(value -> new FilterChoice(value, reader.text(messages + value)))
                .sorted(Comparator.comparing(FilterChoice::label, reader.nameOrder()))
                .toList();
    }

    /** The link to the entries that a filter leaves. */
    static String only(String filter, String value) {
        return PATH + "?" + query(Map.of(filter, value));
    }

    private static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8) + "&")
                .collect(Collectors.joining());
    }

    /** The filters that were typed, as typed and as the API takes them; those that cannot be read are errors of the form. */
    private final class Filters {

        private final Reader reader;
        private final Map<String, String> typed = new LinkedHashMap<>();
        private final Map<String, String> absolute = new LinkedHashMap<>();
        private Form form;

        Filters(Context ctx, Reader reader) {
            this.reader = reader;
            for (var name : List.of("actor", "subject", "action", "targetKind", "targetId", "address", "from", "to")) {
                var value = Optional.ofNullable(ctx.queryParam(name)).orElse("").strip();
                if (!value.isEmpty() && value.indexOf('\0') < 0) {
                    typed.put(name, value);
                }
            }
            form = Form.filled(typed);
        }

        AuditFilter filter() {
            return new AuditFilter(
                    person("actor"),
                    person("subject"),
                    find("action", Action::find, Action::code),
                    find("targetKind", TargetKind::find, TargetKind::code),
                    find("targetId", Optional::of, text -> text),
                    find("address", Optional::of, text -> text),
                    time("from", Instant.EPOCH),
                    time("to", Instant.MAX));
        }

        private @Nullable UserId person(String name) {
            var found = find(name, this::account, UserId::hex);
            if (found == null && typed.containsKey(name)) {
                form = form.withError(name, Text.of("accounts.field.no-account"));
            }
            return found;
        }

        private Optional<UserId> account(String text) {
            if (Ids.isId(text)) {
                return Optional.of(UserId.parse(text));
            }
            try {
                return users.findByEmail(Email.parse(text));
            } catch (Problem e) {
                return Optional.empty();
            }
        }

        private Instant time(String name, Instant otherwise) {
            var found = find(name, reader::parse, Instant::toString);
            if (found == null && typed.containsKey(name)) {
                form = form.withError(name, Text.of("accounts.field.local-time"));
            }
            return found == null ? otherwise : found;
        }

        private <T> @Nullable T find(String name, Function<String, Optional<T>> find, Function<T, String> text) {
            var found = Optional.ofNullable(typed.get(name)).flatMap(find);
            found.ifPresent(value -> absolute.put(name, text.apply(value)));
            return found.orElse(null);
        }
    }

    /** A value of a filter to choose. */
    public record FilterChoice(String value, String label) {}

    /**
     * The view of the page.
     *
     * @param query the filters, empty if there are none
     * @param export where the same entries are exported
     * @param isOlder whether this is not the first page
     * @param more the next page, if there is one
     */
    public record AuditView(
            Form form,
            List<FilterChoice> actions,
            List<FilterChoice> kinds,
            List<AuditRow> rows,
            String query,
            String export,
            boolean isOlder,
            @Nullable String more) {}
}
