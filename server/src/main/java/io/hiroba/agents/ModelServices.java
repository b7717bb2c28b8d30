package io.hiroba.agents;

import io.hiroba.agents.model.ModelClient;
import io.hiroba.agents.model.ModelClients;
import io.hiroba.agents.model.ModelTurn.StandIn;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The models that a service is configured for.
 *
 * @param has whether there is one for the model of this name
 * @param names those in the configuration, each with the one that its service knows it by
 * @param standIns those that may answer in place of the model of this name
 */
record ModelServices(Predicate<String> has, Map<String, String> names, Function<String, List<StandIn>> standIns) {

    /** Whatever its name, a model has a service. */
    static final ModelServices ANY = new ModelServices(model -> true, Map.of(), model -> List.of());

    ModelServices {
        names = Map.copyOf(names);
    }

    static ModelServices of(ModelClients clients) {
        return new ModelServices(
                model -> clients.find(model).isPresent(),
                clients.names(),
                model -> clients.find(model).map(ModelClient::standIns).orElse(List.of()));
    }

    /** The configured ones that are not among these, by any of their names. */
    List<String> missingIn(List<String> known) {
        return names.entrySet().stream()
                .filter(each -> !known.contains(each.getKey()) && !known.contains(each.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
