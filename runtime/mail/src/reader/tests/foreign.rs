//! Folders of others: an agent reads what is in its reach, and changes what lies in the person's own folders only.

use oaken_core::{AgentId, Code};
use oaken_store::OrFault;

use super::fixture::{Mail, New};

#[test]
fn an_agent_changes_nothing_in_a_folder_of_others_and_a_person_does() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
    let (shared, _) = mail.folder(account, "Shared/Team", None);
    mail.write(|tx| {
        tx.execute("UPDATE folder_row SET personal = 0 WHERE row = ?1", [shared])
            .or_fault()
    });
    let put = |folder| {
        let (thread, _) = mail.thread(account);
        mail.put(account, folder, thread, New::default())
    };
    let (own, both, foreign) = (put(inbox), put(inbox), put(shared));
    mail.locate(account, shared, both.row, New::default());

    let places = |targets: Vec<crate::reader::Target>| -> Vec<Vec<i64>> {
        let rows = |t: &crate::reader::Target| t.places().iter().map(|p| p.folder_row()).collect();
        targets.iter().map(rows).collect()
    };
    let ids = [own.id.clone(), both.id.clone(), foreign.id.clone()];
    let person = mail.person(10);
    assert_eq!(
        places(person.targets(&ids).expect("targets")),
        [vec![inbox], vec![inbox, shared], vec![shared]]
    );

    let mut agent = mail.reader(&[account], 10);
    agent.agent = Some(AgentId::random());
    let own_places = vec![vec![inbox], vec![inbox]];
    assert_eq!(places(agent.targets(&ids[..2]).expect("targets")), own_places);
    assert_eq!(places(agent.targets_left(&ids).expect("targets")), own_places);
    let refused = agent.targets(&ids).expect_err("refused");
    assert_eq!(
        (refused.code(), refused.faults()[0].field.as_str()),
        (Code::Refused, "/target/ids/2")
    );
    // Reading goes on.
    assert!(agent.read(&[foreign.id], 0).is_ok());
}
