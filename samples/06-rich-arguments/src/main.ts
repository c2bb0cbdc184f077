import { bootstrap, Module, Tool, VoiceAgent } from 'callwright';
import { BookTrip, CardPayment, Trip } from './trip.dto';

/** One class says what the model is told, what is checked, and what the method receives. */
@VoiceAgent({ name: 'travel', systemPrompt: 'You book trips.', greeting: 'Where to?' })
export class TravelAgent {
  @Tool({ description: 'Books a trip.', kind: 'side_effect', confirm: true, result: Trip })
  bookTrip(wish: BookTrip): Trip {
    const [first] = wish.passengers;
    return new Trip({
      reference: `T-${wish.departure.getUTCFullYear()}-1`,
      passengers: wish.passengers.length,
      paidBy: wish.payment instanceof CardPayment ? `card ${wish.payment.lastDigits}` : wish.payment.mail,
      departure: wish.departure,
      internalNote: `passport of ${first?.name} checked`,
    });
  }
}

@Module({ agents: [TravelAgent] })
export class TravelModule {}

if (require.main === module) void bootstrap(TravelModule);
