# Hiroba without its embedded database: compose.yaml gives it a PostgreSQL with pgvector.
FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN mvn -B -ntp -pl server -am package -Dmaven.test.skip=true

FROM eclipse-temurin:25-jre
RUN useradd --system --create-home --home-dir /var/lib/hiroba hiroba
WORKDIR /var/lib/hiroba
COPY --from=build /src/server/target/lib /opt/hiroba/lib
COPY --from=build /src/server/target/hiroba-server-*.jar /opt/hiroba/
USER hiroba
VOLUME /var/lib/hiroba
EXPOSE 8080 9090
HEALTHCHECK --start-period=30s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["java", "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError", "-XX:MaxRAMPercentage=60", \
            "-Xms64m", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=30", "-XX:G1PeriodicGCInterval=300000", \
            "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-Djdk.reflect.useNativeAccessorOnly=true", "-cp", "/opt/hiroba/*:/opt/hiroba/lib/*", "io.hiroba.Main"]
CMD ["serve", "--http.host=0.0.0.0", "--grpc.host=0.0.0.0", "--data=/var/lib/hiroba"]
