package io.hiroba.accounts.pages;

import io.hiroba.accounts.ApiToken;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.accounts.Tokens;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings page that creates and revokes API tokens. */
public final class TokenPages implements Routes {

    private static final int MAX_SHOWN = 100;
    private static final List<Long> DAYS = List.of(7L, 30L, 90L, 365L);
    private static final String NEVER = "never";
    private static final String CHOSEN = "chosen";

    private final Shell shell;
    private final Readers readers;
    private final Tokens tokens;
    private final long defaultDays;
    private final Sessions sessions;

    /** @param lifetime of a token, unless another is chosen */
    TokenPages(Shell shell, Readers readers, Tokens tokens, Duration lifetime, Sessions sessions) {
        this.shell = shell;
        this.readers = readers;
        this.tokens = tokens;
        this.defaultDays = Math.max(1, lifetime.toDays());
        this.sessions = sessions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(
                "/settings/tokens",
                ctx -> show(ctx, Form.filled(Map.of("days", Long.toString(defaultDays))), List.of(), ""));
        routes.post("/settings/tokens", this::create);
        routes.post("/settings/tokens/{id}/revoke", this::revoke);
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "name", "access", "days", "password");
        var chosen = ctx.formParams("scope");
        try {
            var token = new NewToken(form.value("name"), scopes(form.value("access"), chosen), expiry(form));
            if (!form.value("password").isEmpty()) {
                sessions.confirm(caller, form.value("password"));
            }
            var issued = tokens.create(caller, token);
            show(ctx, Form.filled(Map.of("days", form.value("days"))), List.of(), issued.secret());
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), chosen, "");
        }
    }

    private static Granted scopes(String access, List<String> chosen) {
        return switch (access) {
            case "all" -> Granted.ALL;
            case "read" -> TokenScope.reading();
            case CHOSEN -> {
                if (chosen.isEmpty()) {
                    throw HttpProblem.invalid("access", Text.of("accounts.field.choose-scope"));
                }
                yield Granted.of(chosen);
            }
            default -> throw HttpProblem.invalid("access", Text.of("accounts.field.choose-access"));
        };
    }

    private @Nullable Instant expiry(Form form) {
        var days = form.value("days");
        if (days.equals(NEVER)) {
            return null;
        }
        if (!days.matches("[0-9]{1,4}")) {
            throw HttpProblem.invalid("days", Text.of("accounts.field.past"));
        }
        return tokens.expiryIn(Duration.ofDays(Long.parseLong(days)));
    }

    private void revoke(Context ctx) {
        tokens.revoke(Caller.of(ctx), TokenId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, "/settings/tokens", Text.of("accounts.tokens-revoked"));
    }

    private void show(Context ctx, Form form, Collection<String> chosen, String created) {
        var caller = Caller.of(ctx);
        shell.page(
                ctx,
                Text.of("accounts.tokens"),
                "accounts/settings-tokens",
                Map.of(
                        "form",
                        form.without("password"),
                        "choice",
                        new TokenChoice(scopeGroups(caller, chosen), days()),
                        "tokens",
                        views(tokens, caller, MAX_SHOWN, readers.reader(ctx)),
                        "created",
                        created,
                        "isConfirmed",
                        sessions.isConfirmed(caller)));
    }

    private List<Long> days() {
        var days = new TreeSet<>(DAYS);
        days.add(defaultDays);
        return List.copyOf(days);
    }

    /** The scopes that are of use to the caller, by area. */
    private static List<ScopeGroup> scopeGroups(Caller caller, Collection<String> chosen) {
        return Arrays.stream(TokenScope.values())
                .filter(scope -> caller.admin() || !scope.isForAdmins())
                .collect(Collectors.groupingBy(
                        TokenScope::area,
                        LinkedHashMap::new,
                        Collectors.mapping(
                                scope -> new ScopeBox(scope.code(), scope.description(), chosen.contains(scope.code())),
                                Collectors.toList())))
                .entrySet()
                .stream()
                .map(area -> new ScopeGroup(Text.of("accounts.scope-area." + area.getKey()), area.getValue()))
                .toList();
    }

    static List<TokenView> views(Tokens tokens, Caller caller, int limit, Reader reader) {
        return tokens.list(caller, Optional.empty(), limit).stream()
                .map(token -> view(token, reader))
                .toList();
    }

    static TokenView view(ApiToken token, Reader reader) {
        var lastUsed = token.lastUsedAt();
        var expiresAt = token.expiresAt();
        var codes = token.scopes().codes();
        return new TokenView(
                token.id().hex(),
                token.name(),
                reader.text("accounts.tokens-created", "date", reader.date(token.createdAt())),
                lastUsed == null
                        ? reader.text("accounts.tokens-never-used")
                        : reader.text("accounts.tokens-used", "when", reader.dateTime(lastUsed)),
                expiresAt == null
                        ? reader.text("accounts.tokens-never-expires")
                        : reader.text("accounts.tokens-expires", "date", reader.date(expiresAt)),
                codes == null ? reader.text("accounts.tokens-all-scopes") : String.join(", ", codes));
    }

    /** The view of a token, without its secret. */
    public record TokenView(String id, String name, String created, String used, String expires, String scopes) {}

    /** The choices for a new token: scopes, and after how many days it expires. */
    public record TokenChoice(List<ScopeGroup> groups, List<Long> days) {

        public TokenChoice {
            groups = List.copyOf(groups);
            days = List.copyOf(days);
        }
    }

    /** The scopes of an area. */
    public record ScopeGroup(Text area, List<ScopeBox> scopes) {

        public ScopeGroup {
            scopes = List.copyOf(scopes);
        }
    }

    /** A scope that can be ticked. */
    public record ScopeBox(String code, Text description, boolean isChosen) {}
}
