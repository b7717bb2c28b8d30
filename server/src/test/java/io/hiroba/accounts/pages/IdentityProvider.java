package io.hiroba.accounts.pages;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.oauth2.server.authorization.config.annotation.web.configurers.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.oauth2.server.authorization.oidc.authentication.OidcUserInfoAuthenticationContext;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/** A real OpenID Connect provider on a free port, Spring Authorization Server, whose people all have the same password. */
final class IdentityProvider implements AutoCloseable {

    static final String PASSWORD = "provider password";
    static final String CLIENT = "hiroba";
    static final String SECRET = "a secret of the client";

    /** A client whose codes expire within a second. */
    static final String HASTY_CLIENT = "hasty";

    private final Server jetty = new Server();
    private final String issuer;
    private final Map<String, Map<String, Object>> people = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Object>> userInfo = new ConcurrentHashMap<>();
    private final List<RegisteredClient> clients = new CopyOnWriteArrayList<>();
    private volatile RSAKey key = key();
    private volatile @Nullable Consumer<JwtClaimsSet.Builder> forgery;

    IdentityProvider() {
        var connector = new ServerConnector(jetty);
        connector.setHost("localhost");
        jetty.addConnector(connector);
        try {
            connector.open();
            issuer = "http://localhost:" + connector.getLocalPort();
            var context = new AnnotationConfigWebApplicationContext();
            context.register(Security.class);
            var handler = new ServletContextHandler("/", ServletContextHandler.SESSIONS);
            context.setServletContext(handler.getServletContext());
            context.addBeanFactoryPostProcessor(factory -> factory.registerSingleton("identityProvider", this));
            context.refresh();
            var chain = context.getBean("springSecurityFilterChain", Filter.class);
            handler.addFilter(new FilterHolder(chain), "/*", EnumSet.of(DispatcherType.REQUEST));
            jetty.setHandler(handler);
            jetty.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    String issuer() {
        return issuer;
    }

    /** Lets Hiroba at {@code url} send people here. */
    void admit(String url) {
        clients.add(client(CLIENT, url + "/login/oidc/keycloak/callback", Duration.ofMinutes(5)));
        clients.add(client(HASTY_CLIENT, url + "/login/oidc/hasty/callback", Duration.ofSeconds(1)));
    }

    /** Somebody who can sign in here, of whom the ID token says {@code claims}. */
    void person(String name, Map<String, Object> claims) {
        people.put(name, claims);
    }

    /** As above, and what only the user info says. */
    void person(String name, Map<String, Object> claims, Map<String, Object> more) {
        userInfo.put(name, more);
        person(name, claims);
    }

    /** Changes what ID tokens say, until it is null again. */
    void forge(@Nullable Consumer<JwtClaimsSet.Builder> change) {
        forgery = change;
    }

    /** Signs with another key from now on. */
    void rotateKey() {
        key = key();
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RegisteredClient client(String id, String callback, Duration lifetime) {
        return RegisteredClient.withId(id)
                .clientId(id)
                .clientSecret("{noop}" + SECRET)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(callback)
                .scopes(scopes -> scopes.addAll(List.of("openid", "email", "profile")))
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .tokenSettings(TokenSettings.builder()
                        .authorizationCodeTimeToLive(lifetime)
                        .build())
                .build();
    }

    @Override
    public void close() {
        try {
            jetty.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The beans of the provider. */
    @Configuration
    @EnableWebSecurity
    static class Security {

        private final IdentityProvider provider;

        Security(IdentityProvider provider) {
            this.provider = provider;
        }

        @Bean
        @Order(1)
        SecurityFilterChain protocol(HttpSecurity http) throws Exception {
            var server = OAuth2AuthorizationServerConfigurer.authorizationServer();
            return http.securityMatcher(server.getEndpointsMatcher())
                    .with(
                            server,
                            each -> each.oidc(
                                    oidc -> oidc.userInfoEndpoint(info -> info.userInfoMapper(this::userInfo))))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .exceptionHandling(
                            each -> each.authenticationEntryPoint(new LoginUrlAuthenticationEntryPoint("/login")))
                    .build();
        }

        private OidcUserInfo userInfo(OidcUserInfoAuthenticationContext context) {
            var name = context.getAuthorization().getPrincipalName();
            var claims = new HashMap<String, Object>(provider.userInfo.getOrDefault(name, Map.of()));
            claims.putIfAbsent("sub", name);
            return new OidcUserInfo(claims);
        }

        @Bean
        @Order(2)
        SecurityFilterChain logIn(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService people() {
            return name -> User.withUsername(name)
                    .password("{noop}" + PASSWORD)
                    .roles("USER")
                    .disabled(!provider.people.containsKey(name))
                    .build();
        }

        @Bean
        RegisteredClientRepository clients() {
            return new RegisteredClientRepository() {
                @Override
                public void save(RegisteredClient client) {
                    provider.clients.add(client);
                }

                @Override
                public @Nullable RegisteredClient findById(String id) {
                    return findByClientId(id);
                }

                @Override
                public @Nullable RegisteredClient findByClientId(String id) {
                    return provider.clients.stream()
                            .filter(client -> client.getClientId().equals(id))
                            .findFirst()
                            .orElse(null);
                }
            };
        }

        @Bean
        JWKSource<SecurityContext> keys() {
            return (selector, context) -> selector.select(new JWKSet(provider.key));
        }

        @Bean
        JwtDecoder decoder(JWKSource<SecurityContext> keys) {
            return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
        }

        @Bean
        AuthorizationServerSettings settings() {
            return AuthorizationServerSettings.builder().issuer(provider.issuer).build();
        }

        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> claims() {
            return context -> {
                if (context.getTokenType().getValue().equals("id_token")) {
                    provider.people
                            .getOrDefault(context.getPrincipal().getName(), Map.of())
                            .forEach(context.getClaims()::claim);
                    var change = provider.forgery;
                    if (change != null) {
                        change.accept(context.getClaims());
                    }
                }
            };
        }
    }
}
