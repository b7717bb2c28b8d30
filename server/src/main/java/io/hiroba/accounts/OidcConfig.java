package io.hiroba.accounts;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.config.SecretText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The configuration of an OpenID Connect provider that people sign in with. */
record OidcConfig(
        @Default("") @Doc("The name on the button. Empty means the name in the key.")
        String name,

        @Doc(
                "The issuer, such as https://gitlab.com; everything else is discovered there. https, except on this machine.")
        String issuer,

        @Doc("The id of Hiroba at the provider. Its redirect address there ends in /login/oidc/NAME/callback.")
        String clientId,

        @Default("") @Secret @Doc("The secret of Hiroba at the provider. Empty for a public client.")
        SecretText clientSecret,

        @Default("openid,email,profile") @Doc("What Hiroba asks the provider for.")
        List<String> scopes,

        @Default("groups")
        @Doc("The claim with a person's groups, in the ID token or else the user info; dots lead into objects, as in"
                + " realm_access.roles.")
        String groupsClaim,

        @Default("")
        @Doc(
                "Groups whose members are admins: the role is granted and revoked at each sign-in. Empty leaves roles alone.")
        List<String> adminGroups,

        @Default("") @Doc("Only people with a verified address of these domains can sign in with it. Empty means all.")
        List<String> allowedDomains,

        @Default("mode")
        @Doc("Whether people without an account can sign up with it: as accounts.sign-up.mode says, always or never.")
        ProviderSignUp signUp) {

    private static final int MAX_ISSUER = 500;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** The answers to people without an account. */
    enum ProviderSignUp {
        MODE,
        ALWAYS,
        NEVER
    }

    OidcConfig {
        if (issuer.length() > MAX_ISSUER || !isReachable(issuer)) {
            throw new IllegalArgumentException("issuer must be an address with https, without a query");
        }
        if (clientId.isBlank()) {
            throw new IllegalArgumentException("client-id must not be empty");
        }
        scopes = Stream.concat(Stream.of("openid"), scopes.stream()).distinct().toList();
        adminGroups = List.copyOf(adminGroups);
        try {
            allowedDomains = SignUpRules.domains(allowedDomains);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("allowed-" + e.getMessage(), e);
        }
    }

    /** Whether secrets can be sent there: through TLS, or without leaving this machine. */
    static boolean isReachable(String address) {
        try {
            var uri = new URI(address);
            return uri.getHost() != null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost())));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "OidcConfig[issuer=" + issuer + ", clientId=" + clientId + "]";
    }
}
