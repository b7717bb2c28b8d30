package io.hiroba.accounts;

import io.hiroba.accounts.SignUpRules.SignUpMode;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of sign-up, password reset and change of address. */
final class SignUpRoutes implements Routes {

    private final SignUp signUp;
    private final PasswordReset passwordReset;
    private final EmailChange emailChange;
    private final KnownDevices devices;
    private final ClientAddress addresses;

    SignUpRoutes(
            SignUp signUp,
            PasswordReset passwordReset,
            EmailChange emailChange,
            KnownDevices devices,
            ClientAddress addresses) {
        this.signUp = signUp;
        this.passwordReset = passwordReset;
        this.emailChange = emailChange;
        this.devices = devices;
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/signup", this::rules);
        routes.post("/api/v1/signup/start", this::startSignUp);
        routes.post("/api/v1/signup/verify", this::verifySignUp);
        routes.post("/api/v1/signup/accept", this::acceptInvitation);
        routes.post("/api/v1/password-reset/start", this::startReset);
        routes.post("/api/v1/password-reset/verify", this::verifyReset);
        routes.post("/api/v1/users/{id}/email/start", this::startChange);
        routes.post("/api/v1/users/{id}/email/verify", this::verifyChange);
    }

    private record RulesView(
            String mode, List<String> domains, @Nullable String noticeUrl) {}

    private void rules(Context ctx) {
        var rules = signUp.rules();
        var notice = signUp.noticeUrl();
        ctx.json(new RulesView(
                rules.mode().code(),
                rules.mode() == SignUpMode.DOMAIN ? rules.domains() : List.of(),
                notice.isEmpty() ? null : notice));
    }

    private record Start(String email) {}

    private record SignUpStart(String email, @Nullable String invitation) {}

    private void startSignUp(Context ctx) {
        var request = Body.json(ctx, SignUpStart.class);
        var id = signUp.start(
                ClientInfo.of(ctx, addresses), Email.parse(request.email()), Optional.ofNullable(request.invitation()));
        ctx.json(Map.of("signupId", id.toString()));
    }

    private record Acceptance(
            String invitation,
            String nickname,
            String password,
            @Nullable Boolean consent) {}

    private void acceptInvitation(Context ctx) {
        var request = Body.json(ctx, Acceptance.class);
        var user = signUp.accept(
                request.invitation(),
                Nickname.parse(request.nickname()),
                new Password(request.password()),
                preferences(ctx, request.consent()));
        created(ctx, user);
    }

    private static void created(Context ctx, UserId user) {
        ctx.status(201).header("Location", "/api/v1/users/" + user.hex()).json(Map.of("userId", user.hex()));
    }

    private record SignUpVerify(
            String signupId,
            String code,
            String nickname,
            String password,
            @Nullable Boolean consent) {}

    private void verifySignUp(Context ctx) {
        var request = Body.json(ctx, SignUpVerify.class);
        var user = signUp.verify(
                CodeId.parse(request.signupId()),
                request.code(),
                Nickname.parse(request.nickname()),
                new Password(request.password()),
                preferences(ctx, request.consent()));
        created(ctx, user);
    }

    private static SignUp.Preferences preferences(Context ctx, @Nullable Boolean consent) {
        return new SignUp.Preferences(
                Language.accepted(ctx.header("Accept-Language")).orElse(null), null, Boolean.TRUE.equals(consent));
    }

    private void startReset(Context ctx) {
        var email = Email.parse(Body.json(ctx, Start.class).email());
        ctx.json(Map.of(
                "resetId",
                passwordReset.start(ClientInfo.of(ctx, addresses), email).toString()));
    }

    private record ResetVerify(String resetId, String code, String password) {}

    private void verifyReset(Context ctx) {
        var request = Body.json(ctx, ResetVerify.class);
        var user = passwordReset.verify(
                ClientInfo.of(ctx, addresses),
                CodeId.parse(request.resetId()),
                request.code(),
                new Password(request.password()));
        devices.remember(ctx, user);
        ctx.status(204);
    }

    private record ChangeStart(String email, @Nullable String password) {}

    private void startChange(Context ctx) {
        var caller = Caller.of(ctx);
        var user = UserId.parse(ctx.pathParam("id"));
        var request = Body.json(ctx, ChangeStart.class);
        var client = ClientInfo.of(ctx, addresses);
        var password = Optional.ofNullable(request.password()).orElse("");
        var id = emailChange.start(client, caller, user, Email.parse(request.email()), password);
        ctx.json(Map.of("changeId", id.toString()));
    }

    private record ChangeVerify(String changeId, String code) {}

    private void verifyChange(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, ChangeVerify.class);
        emailChange.verify(caller, UserId.parse(ctx.pathParam("id")), CodeId.parse(request.changeId()), request.code());
        ctx.status(204);
    }
}
